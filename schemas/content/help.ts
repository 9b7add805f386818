import * as z from 'zod/mini';
import type { HelpTabId } from './categories.ts';

/** Front matter of a help topic's file. */
export const HelpFrontMatter = z.strictObject({
  /** The topic's title; in the FAQ, the question. */
  title: z.string().check(z.trim(), z.minLength(1)),
  /** The keys of a shortcut, to be pressed together. */
  keys: z.optional(z.array(z.string()).check(z.minLength(1))),
});

/** `content` is HTML. */
export type HelpTopic = z.infer<typeof HelpFrontMatter> & { slug: string; content: string };
export type Help = Record<HelpTabId, readonly HelpTopic[]>;
