import * as z from 'zod/mini';

const Words = z.string().check(z.trim(), z.minLength(1));

/**
 * Front matter of a person's file in `web/content/people`. The text below the front matter describes the
 * person.
 */
export const PersonFrontMatter = z.strictObject({
  name: Words,
  /** The person's role at the product. */
  role: Words,
  /** Name of a picture beside the file. */
  photo: z.optional(z.string().check(z.regex(/^[\w-]+\.(avif|jpe?g|png|webp)$/))),
});

/** `content` is HTML. */
export type Person = z.infer<typeof PersonFrontMatter> & { content: string };
