import * as z from 'zod/mini';
import { templateCategories } from './categories.ts';

const Words = z.string().check(z.trim(), z.minLength(1));
const Category = z.enum(templateCategories);
const Id = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'it may have small letters, digits and single hyphens only'));
/** A command or a context as the desktop app reads it: name, colon and instruction, in one line. */
const Entry = z
  .string()
  .check(
    z.regex(/^[^:\n]*[^:\s]: \S[^\n]*$/, 'it should be a name, a colon and an instruction, in one line'),
  );
const Entries = z.array(Entry).check(z.minLength(1));
const Group = z
  .strictObject({ name: Words, commands: z.optional(Entries), contexts: z.optional(Entries) })
  .check(
    z.refine(({ commands, contexts }) => (commands === undefined) !== (contexts === undefined), {
      error: 'a group has either commands or contexts',
    }),
  );
const Groups = z.array(Group).check(z.minLength(1));

/** The configuration that the desktop app imports. Only one mode begins with a capital letter. */
const RawData = z.strictObject({
  modes: z
    .strictObject({ write: z.optional(Groups), Analyze: z.optional(Groups) })
    .check(z.refine((modes) => Object.keys(modes).length > 0, { error: 'it should have a mode' })),
});

/** A command's effect on a text. The site shows it; it isn't part of the configuration. */
const Example = z.strictObject({ command: Words, before: Words, after: Words });

/** A file of `web/content/templates`, whose README explains the format. */
const TemplateFile = z
  .strictObject({
    id: Id,
    name: Words,
    category: z.optional(Category),
    categories: z.optional(z.array(Category).check(z.minLength(1))),
    /** The template for most people, which comes first. */
    featured: z.optional(z.boolean()),
    summary: Words,
    /** Words by which people search for the template and that the page doesn't show. */
    keywords: z.optional(Words),
    rawData: RawData,
    example: z.optional(Example),
  })
  .check(
    z.refine(({ category, categories }) => (category === undefined) !== (categories === undefined), {
      path: ['category'],
      error: 'either one category or a list of categories is needed',
    }),
    z.refine(
      ({ example, rawData }) =>
        !example || groupsIn(rawData, 'commands').some(([, names]) => names.includes(example.command)),
      { path: ['example', 'command'], error: 'the template has no command of that name' },
    ),
  );

/** A template with the modes of its configuration, and the names of its commands and contexts by group. */
export const Template = z.pipe(
  TemplateFile,
  z.transform((file) => ({
    ...file,
    modes: Object.keys(file.rawData.modes).map((mode) => mode.toLowerCase()),
    commandGroups: groupsIn(file.rawData, 'commands').map(([name, commands]) => ({ name, commands })),
    contextGroups: groupsIn(file.rawData, 'contexts').map(([name, contexts]) => ({ name, contexts })),
  })),
);
export type Template = z.infer<typeof Template>;
export type RawTemplate = z.infer<typeof RawData>;

/** The fields that the gallery shows. Only the featured template has `sample`, its example's texts. */
export type TemplateSummary = Pick<Template, 'id' | 'name' | 'summary' | 'featured' | 'modes'> & {
  categories: readonly string[];
  sample?: { before: string; after: string };
};
/** The fields that the search reads. */
export type TemplateWords = Pick<Template, 'id' | 'name' | 'summary' | 'featured' | 'keywords'> & {
  categories: readonly string[];
  commands: readonly string[];
  contexts: readonly string[];
};
/** The further fields that the page of one template shows. */
export type TemplateDetails = Pick<Template, 'rawData' | 'example'>;

const nameOf = (entry: string): string => entry.slice(0, entry.indexOf(': '));

/** The names by group. A group of several modes counts once. */
function groupsIn({ modes }: RawTemplate, kind: 'commands' | 'contexts'): [string, string[]][] {
  const groups = [...(modes.write ?? []), ...(modes.Analyze ?? [])];
  return [
    ...new Map(groups.flatMap(({ name, [kind]: entries }) => (entries ? [[name, entries.map(nameOf)]] : []))),
  ];
}
