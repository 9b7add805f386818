import { describe, expect, test } from 'vitest';
import { readTemplates } from '../../../../../../web/build/content.ts';
import { templateSummary } from '../../../../../../web/build/content-plugin.ts';
import {
  ALL,
  choiceIn,
  EVERYTHING,
  found,
  queryFor,
} from '../../../../../../web/src/routes/templates/find-templates.ts';

const templates = readTemplates().map(templateSummary);
const idsOf = (search: string, category: 'Medical' | typeof ALL = ALL) =>
  found(templates, { category, search }).map(({ id }) => id);

describe('the address of the gallery', () => {
  test('names the category and the search, and neither for all templates', () => {
    expect(queryFor({ category: 'Research', search: ' study & mark ' })).toBe(
      '?category=Research&search=study+%26+mark',
    );
    expect(queryFor(EVERYTHING)).toBe('');
  });

  test('gives the choice back', () => {
    const choice = { category: 'Medical', search: 'naïve “why?”' } as const;
    expect(choiceIn(queryFor(choice))).toEqual(choice);
  });

  test('shows all templates for a category that isn’t there', () => {
    expect(choiceIn('?category=Gardening&other=1')).toEqual(EVERYTHING);
  });
});

describe('the search', () => {
  test('leaves nothing out without words', () => {
    expect(idsOf('  ')).toHaveLength(templates.length);
  });

  test.each([
    ['a command', 'find the risk', 'code-review'],
    ['a context', 'angry, with reason', 'support-replies'],
    ['a category', 'journalism', 'news-desk'],
    ['capitals, in any order', 'QUOTE Touching', 'news-desk'],
    ['straight apostrophes', "hasn't been asked", 'news-desk'],
    ['letters with accents', 'réview', 'code-review'],
  ])('takes %s', (_, search, id) => {
    expect(idsOf(search)).toContain(id);
  });

  // Words of the landing page and of people who look for help with a text.
  test.each([
    ['email', 'everyday-writing'],
    ['E-mail', 'support-replies'],
    ['summarize', 'meeting-notes'],
    ['translate', 'english-as-a-second-language'],
    ['grammar', 'english-as-a-second-language'],
    ['legal', 'contract-reading'],
    ['rewrite', 'everyday-writing'],
    ['shorten', 'everyday-writing'],
    ['explain', 'study-partner'],
  ])('finds “%s”, which people look for', (search, id) => {
    expect(idsOf(search)).toContain(id);
  });

  test('needs every word, within the category', () => {
    expect(idsOf('contract feedback')).toEqual([]);
    expect(idsOf('letter', 'Medical')).toEqual(['plain-words-for-patients']);
    expect(idsOf('contract', 'Medical')).toEqual([]);
  });
});
