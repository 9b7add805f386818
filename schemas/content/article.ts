import * as z from 'zod/mini';
import { articleCategories } from './categories.ts';

const Words = z.string().check(z.trim(), z.minLength(1));

/** Front matter of an article's file. */
export const ArticleFrontMatter = z.strictObject({
  /** Part of the article's address: `/articles/{id}`. */
  id: z.int().check(z.positive()),
  title: Words,
  /** One or two sentences for the card, for search engines and for the feed. */
  excerpt: Words,
  author: Words,
  authorBio: Words,
  /** Reading time in words: `4 min read`. */
  readTime: z.string().check(z.regex(/^\d+ min read$/)),
  /** Day of publication: `2025-07-01`. */
  date: z.iso.date(),
  category: z.enum(articleCategories),
  /** Name of the drawing. */
  image: z.enum(['ditto', 'envelope', 'shelf']),
  /** Whether /articles shows it. An unlisted article can still be read at its address. */
  listed: z.boolean(),
});
type ArticleFrontMatter = z.infer<typeof ArticleFrontMatter>;

/** `content` is HTML. */
export type Article = ArticleFrontMatter & { content: string };
export type ArticleSummary = ArticleFrontMatter;
