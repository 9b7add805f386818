import { synonyms } from 'virtual:content/synonyms';
import { allTopics } from './all-topics.ts';
import { textIndex } from '../../components/search/text-index.ts';

/* Loaded when a search begins. */

const withoutTags = (html: string) => html.replaceAll(/<[^>]*>/g, '');

/** Searches the topics of all tabs, in the order of the tabs. An entry's id is its place. */
export const searchHelp = textIndex(
  allTopics.map(({ title, content }, index) => ({ id: String(index), texts: [title, withoutTags(content)] })),
  synonyms,
);
