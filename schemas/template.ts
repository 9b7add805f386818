import * as z from 'zod/mini';
import { templateCategories } from './categories.ts';

const Words = z.string().check(z.trim(), z.minLength(1));
const Category = z.enum(templateCategories);
const CommandGroup = z.strictObject({ name: Words, commands: z.array(Words) });
const ContextGroup = z.strictObject({ name: Words, contexts: z.array(Words) });
const Group = z.union([CommandGroup, ContextGroup]);

/** A file of `web/content/templates`: commands and contexts for the desktop app. */
export const Template = z
  .strictObject({
    id: Words,
    name: Words,
    category: z.optional(Category),
    categories: z.optional(z.array(Category).check(z.minLength(1))),
    modes: z.array(z.enum(['write', 'analyze'])).check(z.minLength(1)),
    summary: Words,
    commandGroups: z.array(CommandGroup),
    contextGroups: z.array(ContextGroup),
    /** What "Use Template" shows, in the desktop app's format. */
    rawData: z.strictObject({
      modes: z.strictObject({ write: z.optional(z.array(Group)), Analyze: z.optional(z.array(Group)) }),
    }),
  })
  .check(
    z.refine((template) => template.category !== undefined || template.categories !== undefined, {
      path: ['category'],
      error: 'one category or a list of categories is needed',
    }),
  );
export type Template = z.infer<typeof Template>;
