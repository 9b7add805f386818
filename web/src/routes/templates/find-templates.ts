import { templateCategories } from '../../../../schemas/content/categories.ts';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';
import { sortedBySearch } from '../../components/find-words.ts';

export const ALL = 'All Templates';
export const filters = [ALL, ...templateCategories] as const;
type Filter = (typeof filters)[number];

/** The filter of the gallery. */
export interface Choice {
  category: Filter;
  search: string;
}

export const EVERYTHING: Choice = { category: ALL, search: '' };

/** The choice in a query such as `?category=Research&search=study`. An unknown category is left out. */
export function choiceIn(query: string): Choice {
  const parameters = new URLSearchParams(query);
  const category = filters.find((filter) => filter === parameters.get('category'));
  return { category: category ?? ALL, search: parameters.get('search') ?? '' };
}

/** The query for a choice, with its question mark. Empty for all templates. */
export function queryFor({ category, search }: Choice): string {
  const parameters = new URLSearchParams();
  if (category !== ALL) parameters.set('category', category);
  if (search.trim()) parameters.set('search', search.trim());
  const query = parameters.toString();
  return query && `?${query}`;
}

/**
 * The templates of the category that have every word of the search, best first: in a command's name, in the
 * template's, in a keyword, a context or a category, in the summary.
 */
export function found(
  templates: readonly TemplateSummary[],
  { category, search }: Choice,
): TemplateSummary[] {
  return sortedBySearch(
    templates.filter(({ categories }) => category === ALL || categories.includes(category)),
    search,
    ({ name, summary, keywords = '', categories, commands, contexts }) => [
      commands.join(' '),
      name,
      [keywords, ...contexts, ...categories].join(' '),
      summary,
    ],
  );
}

/** The sentences of a gallery without a match, and the choice that a button of it widens to. */
export function nothingFound(
  templates: readonly TemplateSummary[],
  { category, search }: Choice,
): { title?: string; text: string; instead?: [label: string, Choice] } {
  if (category !== ALL && found(templates, { category, search: '' }).length === 0) {
    return {
      text: `No templates available in the ${category} category yet.`,
      instead: ['Show All Templates', { category: ALL, search }],
    };
  }
  if (templates.length === 0) {
    return {
      title: 'No templates available yet',
      text: "We're working on creating amazing templates for you. Check back soon!",
    };
  }
  const elsewhere = { category: ALL, search } as const;
  const { length } = found(templates, elsewhere);
  const nothing = `Nothing ${category === ALL ? '' : `in ${category} `}matches “${search.trim()}”.`;
  if (length > 0) return { text: nothing, instead: [`Search in All Templates (${length})`, elsewhere] };
  return {
    text: `${nothing} Try one word for the kind of text or work, such as email, contract or summarize.`,
    instead: ['Clear the Search', EVERYTHING],
  };
}
