import { describe, expect, test } from 'vitest';
import { readArticles } from '../../../../web/build/content.ts';
import { structuredDataOf } from '../../../../web/build/structured-data.ts';
import { vocabularyFaults } from '../../../fixtures/repository/schema-org.ts';

const content = { articles: readArticles() };

test.each(['/', '/pricing', ...content.articles.map(({ id }) => `/articles/${id}`)])(
  'the structured data of %s are valid by schema.org’s definitions',
  (path) => {
    const objects = structuredDataOf(path, content);
    expect(objects).not.toEqual([]);
    expect(vocabularyFaults(objects)).toEqual([]);
  },
);

describe('finds terms that schema.org doesn’t define', () => {
  const person = { '@type': 'Person', '@id': '#ada', name: 'Ada' };
  test.each([
    ['an unknown type', { '@type': 'Essay' }],
    ['a property of another type', { '@type': 'Article', price: '5.00' }],
    ['a text in place of an object', { '@type': 'Article', author: 'Ada' }],
    ['an object of another type', { '@type': 'Article', author: { '@type': 'Offer' } }],
    ['a fault inside an object', { '@type': 'Article', author: { '@type': 'Person', headline: 'Ada' } }],
    ['a date in another form', { '@type': 'Article', datePublished: 'July 1, 2025' }],
    ['a reference that leads nowhere', { '@type': 'Article', author: { '@id': '#grace' } }],
    ['a superseded property', { '@type': 'FAQPage', mainContentOfPage: 'x', significantLinks: '/' }],
  ])('%s', (_, data) => {
    expect(vocabularyFaults([data, person])).not.toEqual([]);
  });

  test('and a reference to an object of the page is none', () => {
    expect(vocabularyFaults([{ '@type': 'Article', author: { '@id': '#ada' } }, person])).toEqual([]);
  });
});
