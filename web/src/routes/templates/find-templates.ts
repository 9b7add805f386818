import { templateCategories } from '../../../../schemas/content/categories.ts';
import type { TemplateSummary } from '../../../../schemas/content/template.ts';

export const ALL = 'All Templates';
export const filters = [ALL, ...templateCategories] as const;
type Filter = (typeof filters)[number];

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

/** The templates of a category, all or those that a search found, best first. */
export function shownIn(
  templates: readonly TemplateSummary[],
  category: Filter,
  found: { ids: readonly string[] } | undefined,
): TemplateSummary[] {
  const inCategory = templates.filter(({ categories }) => category === ALL || categories.includes(category));
  if (!found) return inCategory;
  return found.ids.flatMap((id) => inCategory.filter((template) => template.id === id));
}

/** The sentences of a gallery without a match, and the choice that a button of it widens to. */
export function nothingFound(
  templates: readonly TemplateSummary[],
  { category, search }: Choice,
  found?: { ids: readonly string[] },
): { title?: string; text: string; instead?: [label: string, Choice] } {
  if (category !== ALL && shownIn(templates, category, undefined).length === 0) {
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
  const text = `Nothing ${category === ALL ? '' : `in ${category} `}matches “${search.trim()}”.`;
  const { length } = found?.ids ?? [];
  return length > 0
    ? { text, instead: [`Search in All Templates (${length})`, { category: ALL, search }] }
    : { text, instead: ['Clear the Search', EVERYTHING] };
}

/** A search as a command to copy into the app, where no template has one. */
export function commandFor(search: string): string {
  const words = search.replaceAll(':', ' ').replaceAll(/\s+/g, ' ').trim();
  const name = (words[0] ?? '').toUpperCase() + words.slice(1);
  return `${name}: Turn the selected text or notes into what these words ask for: “${words}”. Keep every name, number and date, and add no facts. Put [missing] where one is needed. Return only the result.`;
}
