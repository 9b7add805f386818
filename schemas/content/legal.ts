import * as z from 'zod/mini';

const Words = z.string().check(z.trim(), z.minLength(1));

/** Front matter of a legal document's `document.md`, which holds its introduction. */
export const LegalFrontMatter = z.strictObject({
  title: Words,
  /** The day on which the document takes effect: `2025-07-01`. */
  effective: z.iso.date(),
  version: z.string().check(z.regex(/^\d+\.\d+$/)),
});

/** Front matter of a section's file. The file's name carries the section's number. */
export const LegalSectionFrontMatter = z.strictObject({ title: Words });

/** Sections are in order and begin with number 1. `content` is HTML. */
export type LegalDocument = z.infer<typeof LegalFrontMatter> & {
  content: string;
  sections: readonly { title: string; slug: string; content: string }[];
};
