import * as z from 'zod/mini';
import { articleCategories, type HelpTabId } from './categories.ts';

/* The front matter of Markdown files. The text below it becomes `content`, in HTML. */

const Words = z.string().check(z.trim(), z.minLength(1));

export const ArticleFrontMatter = z.strictObject({
  /** Part of the article's address: `/articles/{id}`. */
  id: z.int().check(z.positive()),
  title: Words,
  /** One or two sentences for the card, for search engines and for the feed. */
  excerpt: Words,
  author: Words,
  authorBio: Words,
  readTime: z.string().check(z.regex(/^\d+ min read$/)),
  date: z.iso.date(),
  category: z.enum(articleCategories),
  image: z.enum(['ditto', 'envelope', 'shelf']),
  /** Whether /articles shows it. An unlisted article can still be read at its address. */
  listed: z.boolean(),
});
export type ArticleSummary = z.infer<typeof ArticleFrontMatter>;
export type Article = ArticleSummary & { content: string };

export const HelpFrontMatter = z.strictObject({
  /** The topic's title; in the FAQ, the question. */
  title: Words,
  /** The keys of a shortcut, to be pressed together. */
  keys: z.optional(z.array(z.string()).check(z.minLength(1))),
});
export type HelpTopic = z.infer<typeof HelpFrontMatter> & { slug: string; content: string };
export type Help = Record<HelpTabId, readonly HelpTopic[]>;

/** Front matter of a legal document's `document.md`, which holds its introduction. */
export const LegalFrontMatter = z.strictObject({
  title: Words,
  /** The day on which the document takes effect: `2025-07-01`. */
  effective: z.iso.date(),
  version: z.string().check(z.regex(/^\d+\.\d+$/)),
});

/** Front matter of a section's file, whose name carries the section's number. */
export const LegalSectionFrontMatter = z.strictObject({ title: Words });

/** Sections are in order and begin with number 1. */
export type LegalDocument = z.infer<typeof LegalFrontMatter> & {
  content: string;
  sections: readonly { title: string; slug: string; content: string }[];
};
