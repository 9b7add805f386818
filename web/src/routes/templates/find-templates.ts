import { templateCategories } from '../../../../schemas/content/categories.ts';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';

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

/** The templates of the category that have every word of the search, in the order given. */
export function found(
  templates: readonly TemplateSummary[],
  { category, search }: Choice,
): TemplateSummary[] {
  const words = plain(search).split(/\s+/);
  return templates.filter(({ name, summary, keywords = '', categories, names }) => {
    if (category !== ALL && !categories.includes(category)) return false;
    const text = plain([name, summary, keywords, ...categories, ...names].join('\n'));
    return words.every((word) => text.includes(word));
  });
}

/** Text without capitals, accents, hyphens and curved apostrophes: `e-mail` finds `email`. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('-', '')
    .replaceAll('’', "'")
    .toLowerCase()
    .trim();
