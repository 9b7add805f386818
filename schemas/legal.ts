import * as z from 'zod/mini';

const Words = z.string().check(z.trim(), z.minLength(1));

/** What stands above the introduction of a legal document, its `document.md`. */
export const LegalFrontMatter = z.strictObject({
  title: Words,
  /** The day it takes effect, `2025-07-01`. */
  effective: z.iso.date(),
  version: z.string().check(z.regex(/^\d+\.\d+$/)),
});

/** What stands above the text of a section; its number is the file's. */
export const LegalSectionFrontMatter = z.strictObject({ title: Words });

/** Sections come in order, the first being number 1. `content` is HTML. */
export type LegalDocument = z.infer<typeof LegalFrontMatter> & {
  content: string;
  sections: readonly { title: string; slug: string; content: string }[];
};
