import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plans } from '../../../schemas/product.ts';
import { retention } from '../../../schemas/retention.ts';
import { readArticles, readFaq, readHelp, readLegal, readTemplates } from '../../../web/build/content.ts';

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-content-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const fields = {
  id: '7',
  title: 'A title',
  excerpt: 'What it says.',
  author: 'The {{product.name}} team',
  authorBio: 'We write.',
  readTime: '3 min read',
  date: '2025-08-01',
  category: 'Product',
  image: 'ditto',
  listed: 'true',
};
const article = (changes: Record<string, string | undefined> = {}, body = 'Text with *stress*.') => {
  const head = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined);
  return `---\n${head.map(([name, value]) => `${name}: ${value}`).join('\n')}\n---\n\n${body}\n`;
};
const read = (text: string, name = 'articles/7-a-title.md') => readArticles(folderOf({ [name]: text }));

describe('an article', () => {
  test('has its front matter, and its text as HTML and as Markdown', () => {
    const [{ title, author, content, markdown } = {}] = read(article());
    expect({ title, author, content, markdown }).toEqual({
      title: 'A title',
      author: 'The Selfsame team',
      content: '<p>Text with <em>stress</em>.</p>\n',
      markdown: 'Text with *stress*.',
    });
  });

  test.each([
    [{ title: undefined }, 'articles/7-a-title.md: the field "title" is not right, because it is missing.'],
    [
      { category: 'Gossip' },
      'articles/7-a-title.md: the field "category" is not right, because it should be one of: Company, Product, Privacy & Security, Community.',
    ],
    [
      { listed: 'perhaps' },
      'articles/7-a-title.md: the field "listed" is not right, because it should be of the type boolean.',
    ],
    [
      { mood: 'good' },
      'articles/7-a-title.md: the field "mood" is not right, because nothing is known by that name.',
    ],
    [
      { title: '"{{product.nickname}}"' },
      'articles/7-a-title.md: the field "{{product.nickname}}" is no fact of schemas/product.ts or retention.ts.',
    ],
    [{ title: '[' }, 'articles/7-a-title.md: its front matter is not YAML.'],
  ])('with %o is refused in a sentence', (changes, sentence) => {
    expect(() => read(article(changes))).toThrow(sentence);
  });

  test('with an invalid date is refused with the name of the field', () => {
    expect(() => read(article({ date: 'last summer' }))).toThrow(
      /^articles\/7-a-title\.md: the field "date" is not right, because it should look like /,
    );
  });

  test('without text, or without front matter, is refused', () => {
    expect(() => read(article({}, ''))).toThrow('there is no text below its front matter.');
    expect(() => read('Just text.')).toThrow('it does not begin with front matter between two lines of ---.');
  });

  test('may not have the same address as another', () => {
    const folder = folderOf({ 'articles/7-a.md': article(), 'articles/8-b.md': article() });
    expect(() => readArticles(folder)).toThrow(
      'articles/8-b.md: the field "id" is 7, which articles/7-a.md has already.',
    );
  });

  test('comes before older articles', () => {
    const folder = folderOf({
      'articles/1.md': article({ id: '1', date: '2025-07-01' }),
      'articles/2.md': article({ id: '2', date: '2025-09-01' }),
      'articles/10.md': article({ id: '10', date: '2025-08-01' }),
    });
    expect(readArticles(folder).map(({ id }) => id)).toEqual([2, 10, 1]);
  });
});

describe('a template', () => {
  const template = {
    id: 'a',
    name: 'A template',
    category: 'Design',
    modes: ['write'],
    summary: 'What it is for.',
    commandGroups: [],
    contextGroups: [],
    rawData: { modes: { write: [{ name: 'Group', commands: ['Do it'] }] } },
  };
  const readOne = (value: unknown) =>
    readTemplates(
      folderOf({ 'templates/a.json': typeof value === 'string' ? value : JSON.stringify(value) }),
    );

  test('is read unchanged', () => {
    expect(readOne(template)).toEqual([template]);
  });

  test('has one category or a list of them', () => {
    expect(() => readOne({ ...template, category: undefined, categories: ['Design'] })).not.toThrow();
  });

  test('needs an existing category', () => {
    expect(() => readOne({ ...template, category: 'Gardening' })).toThrow(
      /^templates\/a\.json: the field "category" is not right, because it should be one of: Programming, /,
    );
    expect(() => readOne({ ...template, category: undefined })).toThrow(
      'templates/a.json: the field "category" is not right, because one category or a list of categories is needed.',
    );
  });

  test('has to be JSON', () => {
    expect(() => readOne('{')).toThrow('templates/a.json: it is not JSON.');
  });
});

describe('the content of the site', () => {
  test('lists two articles and holds a third', () => {
    const articles = readArticles();
    expect(articles.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1, 4, 6]);
    expect(articles.filter(({ listed }) => listed).map(({ id }) => id)).toEqual([4, 1]);
  });

  test('has the eighteen sections of the terms and the twenty of the policy', () => {
    const [terms, privacy] = [readLegal('terms'), readLegal('privacy')];
    expect([terms.sections.length, privacy.sections.length]).toEqual([18, 20]);
    for (const { effective, version } of [terms, privacy]) {
      expect({ effective, version }).toEqual({ effective: '2025-07-01', version: '1.0' });
    }
  });

  const textOf = (name: 'terms' | 'privacy') =>
    readLegal(name)
      .sections.map(({ content }) => content)
      .join('\n');

  test.each([
    'at least 16 years old',
    'You may not share it',
    'must be accurate',
    '20 AI requests per day',
    'selection of the response type',
    `${plans.plus.price} ${plans.plus.period}`,
    'renews automatically',
    'at least 30 days before',
    'at least 30 consecutive days',
    'nobody has signed in to for one year',
    'in the 12 months before',
    'binding arbitration',
    'class action',
  ])('says in the terms: %s', (fact) => {
    expect(textOf('terms')).toContain(fact);
  });

  test.each([
    'at any time, on your dashboard',
    'nobody has signed in to for one year, here or in an app',
    '30 days and 7 days before',
    `within ${retention.hoursToConfirm} hours is deleted`,
    `at most ${retention.daysOfBackups} days`,
  ])('says of deletion in the terms and in the policy: %s', (fact) => {
    expect(textOf('terms')).toContain(fact);
    expect(textOf('privacy')).toContain(fact);
  });

  test.each([
    'local browser storage',
    'expire after 60 days unless they are renewed',
    'card payment provider',
    'hosted authentication provider',
    'hosted in the United States',
    'not for people under 16',
    'reply within one month',
    'within 72 hours',
    'binding arbitration',
    'class actions',
    'do not sell your personal data',
    'does not honour it',
    'no marketing e-mail',
    'Role-based access controls',
    'AI providers',
  ])('says in the policy: %s', (fact) => {
    const text = textOf('privacy');
    const titles = readLegal('privacy').sections.map(({ title }) => title);
    expect(`${text} ${titles.join(' ')}`).toContain(fact);
  });

  test('answers every question of the FAQ and fills every tab of the help', () => {
    expect(readFaq().length).toBeGreaterThan(5);
    expect(Object.values(readHelp()).every((topics) => topics.length > 0)).toBe(true);
  });
});
