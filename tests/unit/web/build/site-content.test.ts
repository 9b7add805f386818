import { describe, expect, test } from 'vitest';
import { templateCategories } from '../../../../schemas/content/categories.ts';
import { retention } from '../../../../schemas/product/retention.ts';
import { readArticles, readHelp, readLegal, readTemplates } from '../../../../web/build/content.ts';

describe('the site’s templates', () => {
  const templates = readTemplates();

  test('are at least twelve, with one in every category', () => {
    expect(templates.length).toBeGreaterThanOrEqual(12);
    const filled = new Set(templates.flatMap((each) => each.categories ?? [each.category]));
    expect(templateCategories.filter((category) => !filled.has(category))).toEqual([]);
  });

  test('each have an example, and names that no other template has', () => {
    expect(templates.filter(({ example }) => !example)).toEqual([]);
    const names = templates.flatMap(({ name, commandGroups }) => [
      name,
      ...commandGroups.flatMap(({ commands }) => commands),
    ]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('for work with confidential text say what to do before the text leaves the Mac', () => {
    const confidential = /\b(clients?|interview|medicines?|handover)\b/i;
    const warned = templates.filter(({ summary }) => summary.includes('the text goes to an AI provider'));
    const concerned = templates.filter(({ rawData }) => confidential.test(JSON.stringify(rawData)));
    expect(warned.map(({ id }) => id)).toEqual(concerned.map(({ id }) => id));
  });

  describe('have an example that keeps to the number in its instruction:', () => {
    const exampleOf = (id: string) => {
      const { rawData, example } = templates.find((template) => template.id === id) ?? {};
      if (!rawData || !example) throw new Error(`${id} has no example.`);
      const groups = [...(rawData.modes.write ?? []), ...(rawData.modes.Analyze ?? [])];
      const entries = groups.flatMap(({ commands = [] }) => commands);
      const instruction = entries.find((entry) => entry.startsWith(`${example.command}: `));
      return { ...example, instruction };
    };
    const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}’.%–-]+/gu) ?? [];

    test.each([
      ['second-reader', 'about a third', 2 / 3],
      ['everyday-writing', 'about half', 1 / 2],
    ])('%s shortens by %s', (id, amount, share) => {
      const { instruction, before, after } = exampleOf(id);
      expect(instruction).toContain(amount);
      expect(wordsOf(after).length / wordsOf(before).length).toBeCloseTo(share, 1);
    });

    test('interviews names each problem in four words', () => {
      const { instruction, after } = exampleOf('interviews');
      expect(instruction).toContain('in four words');
      const problems = [...after.matchAll(/” ([^→]+)\. →/g)].map(([, problem]) => wordsOf(String(problem)));
      expect(problems.map(({ length }) => length)).toEqual([4, 4]);
    });

    test('paper-reading takes over no five words in a row, in at most 35', () => {
      const { instruction, before, after } = exampleOf('paper-reading');
      expect(instruction).toContain('at most 35 words, and no five words in a row');
      const sentence = wordsOf(after.replace(/ \(.*/, ''));
      const source = wordsOf(before).join(' ');
      const runs = sentence.slice(4).map((_, at) => sentence.slice(at, at + 5).join(' '));
      expect(runs.filter((run) => source.includes(run))).toEqual([]);
      expect(sentence.length).toBeLessThanOrEqual(35);
    });
  });

  test('say in each command that replaces a text what alone to return', () => {
    const writing = templates.flatMap(({ rawData }) => rawData.modes.write ?? []);
    const silent = writing
      .flatMap(({ commands = [] }) => commands)
      .filter((command) => !/ Return [^.]*\.$/.test(command));
    expect(silent).toEqual([]);
  });
});

describe('the content of the site', () => {
  test('lists the articles 4 and 1, and holds the article 6 without listing it', () => {
    const articles = readArticles();
    expect(articles.map(({ id }) => id)).toContain(6);
    const listed = articles.filter((each) => each.listed).map(({ id }) => id);
    expect(listed.filter((id) => [1, 4, 6].includes(id))).toEqual([4, 1]);
  });

  test('says in one sentence a page what is not published yet', () => {
    const pages = {
      help: Object.values(readHelp()).flat(),
      terms: [readLegal('terms'), ...readLegal('terms').sections],
      privacy: [readLegal('privacy'), ...readLegal('privacy').sections],
      article: readArticles(),
    };
    for (const texts of Object.values(pages)) {
      const text = texts.map(({ content }) => content).join('');
      expect(text.split('haven’t published').length).toBeLessThanOrEqual(2);
    }
  });

  test('has the eighteen sections of the terms and the twenty of the policy', () => {
    const [terms, privacy] = [readLegal('terms'), readLegal('privacy')];
    expect([terms.sections.length, privacy.sections.length]).toEqual([18, 20]);
    for (const { effective, version } of [terms, privacy]) {
      expect({ effective, version }).toEqual({ effective: '2025-07-01', version: '1.0' });
    }
  });

  const onDeletion = [
    'at any time, on your dashboard',
    'nobody has signed in to for one year, here or in an app',
    '30 days and 7 days before',
    `within ${retention.hoursToConfirm} hours is deleted`,
    `at most ${retention.daysOfBackups} days`,
  ];
  const facts = {
    terms: [
      ...onDeletion,
      'at least 16 years old',
      'You may not share it',
      'must be accurate',
      '20 AI requests per day',
      'response type selection',
      'what the pricing page says when you buy it',
      'renews automatically',
      'at least 30 days before',
      'at least 30 consecutive days',
      'in the 12 months before',
      'binding arbitration',
      'class action',
    ],
    privacy: [
      ...onDeletion,
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
      'does not honor it',
      'no marketing email',
      'Role-based access controls',
      'AI providers',
    ],
  };
  test.each(['terms', 'privacy'] as const)('says each fact in the %s', (name) => {
    const text = readLegal(name)
      .sections.map(({ title, content }) => `${title} ${content}`)
      .join('\n');
    expect(facts[name].filter((fact) => !text.includes(fact))).toEqual([]);
  });

  test('answers every question of the FAQ and fills every tab of the help', () => {
    expect(readHelp().faq.length).toBeGreaterThan(5);
    expect(Object.values(readHelp()).every((topics) => topics.length > 0)).toBe(true);
  });
});
