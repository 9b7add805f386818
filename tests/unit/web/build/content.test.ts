import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentFolder, readArticles, readChangelog, readTemplates } from '../../../../web/build/content.ts';

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
    const [{ title, author, content } = {}] = read(article());
    expect({ title, author, content }).toEqual({
      title: 'A title',
      author: 'The Selfsame team',
      content: '<p>Text with <em>stress</em>.</p>\n',
    });
  });

  test.each([
    [article({ title: undefined }), 'the field "title" is not right, because it is missing.'],
    [
      article({ category: 'Gossip' }),
      'the field "category" is not right, because it should be one of: Company, Product, Privacy & Security, Community.',
    ],
    [
      article({ listed: 'perhaps' }),
      'the field "listed" is not right, because it should be of the type boolean.',
    ],
    [article({ mood: 'good' }), 'the field "mood" is not right, because nothing is known by that name.'],
    [article({ date: 'last summer' }), 'the field "date" is not right, because it should look like '],
    [
      article({ title: '"{{product.nickname}}"' }),
      'the field "{{product.nickname}}" is no fact of schemas/product/product.ts, retention.ts or owner.ts.',
    ],
    [article({ title: '[' }), 'its front matter is not YAML.'],
    [article({}, ''), 'there is no text below its front matter.'],
    ['Just text.', 'it does not begin with front matter between two lines of ---.'],
  ])('is refused in a sentence: %#', (text, sentence) => {
    expect(() => read(text)).toThrow(`articles/7-a-title.md: ${sentence}`);
  });

  test('may not have the same address as another', () => {
    const folder = folderOf({ 'articles/7-a.md': article(), 'articles/8-b.md': article() });
    expect(() => readArticles(folder)).toThrow(
      'articles/8-b.md: the field "id" is 7, which articles/7-a.md already has.',
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

describe('a document', () => {
  const text = article({}, 'Text. {{owner.unpublished.terms}}');

  test('says what the owner has not said yet', () => {
    const owner = readFileSync(path.join(contentFolder, 'owner.json'), 'utf8');
    const folder = folderOf({ 'articles/7-a-title.md': text, 'owner.json': owner });
    expect(readArticles(folder)[0]?.content).toContain('Selfsame');
  });

  test.each([
    [
      '{ "company": null, "shoeSize": 43 }',
      /^owner\.json: the field "\w+" is not right, because it is missing/,
    ],
    ['{', /^owner\.json: it is not JSON\.$/],
  ])('names a mistake in what the owner has said: %s', (owner, sentence) => {
    const folder = folderOf({ 'articles/7-a-title.md': text, 'owner.json': owner });
    expect(() => readArticles(folder)).toThrow(sentence);
  });
});

describe('a template', () => {
  const template = {
    id: 'a',
    name: 'A template',
    category: 'Design',
    summary: 'What it is for.',
    rawData: {
      modes: {
        write: [
          { name: 'Group', commands: ['Halve it: Shorten the text by half.'] },
          { name: 'Reader', contexts: ['To a friend: The reader knows me.'] },
        ],
      },
    },
  };
  const readOne = (value: unknown) =>
    readTemplates(
      folderOf({ 'templates/a.yaml': typeof value === 'string' ? value : JSON.stringify(value) }),
    );
  const writing = (...write: unknown[]) => ({ rawData: { modes: { write } } });

  const names = {
    modes: ['write'],
    commandGroups: [{ name: 'Group', commands: ['Halve it'] }],
    contextGroups: [{ name: 'Reader', contexts: ['To a friend'] }],
  };

  test('is read unchanged, with its modes and the names of its commands and contexts', () => {
    expect(readOne(template)).toEqual([{ ...template, ...names }]);
  });

  test('has one category or a list of them', () => {
    expect(() => readOne({ ...template, category: undefined, categories: ['Design'] })).not.toThrow();
  });

  test('may have a group of contexts in both modes', () => {
    const both = {
      ...template,
      rawData: { modes: { ...template.rawData.modes, Analyze: template.rawData.modes.write.slice(1) } },
    };
    expect(readOne(both)).toEqual([{ ...both, ...names, modes: ['write', 'analyze'] }]);
  });

  test('follows the format that its README shows', () => {
    const [, yaml = ''] =
      /```yaml\n(.*?)```/s.exec(readFileSync('web/content/templates/README.md', 'utf8')) ?? [];
    expect(readTemplates(folderOf({ 'templates/short-mails.yaml': yaml }))).toHaveLength(1);
  });

  test.each([
    [
      { category: 'Gardening' },
      'the field "category" is not right, because it should be one of: Programming, ',
    ],
    [
      { category: undefined },
      'the field "category" is not right, because either one category or a list of categories is needed.',
    ],
    [{ id: 'b' }, 'the field "id" is b, and should be the file\'s name.'],
    [
      { id: 'A b' },
      'the field "id" is not right, because it may have small letters, digits and single hyphens only.',
    ],
    [{ rawData: { modes: {} } }, 'the field "rawData.modes" is not right, because it should have a mode.'],
    [
      writing({ name: 'Group', commands: ['Halve it'] }),
      'the field "rawData.modes.write.0.commands.0" is not right, because it should be a name, a colon and an instruction, in one line.',
    ],
    [
      writing({ name: 'Group', commands: ['Halve it: Now.'], contexts: ['Me: I.'] }),
      'the field "rawData.modes.write.0" is not right, because a group has either commands or contexts.',
    ],
    [
      { example: { command: 'Double it', before: 'a', after: 'aa' } },
      'the field "example.command" is not right, because the template has no command of that name.',
    ],
    [{ mood: 'good' }, 'the field "mood" is not right, because nothing is known by that name.'],
  ])('with %o is refused in a sentence', (changes, sentence) => {
    expect(() => readOne({ ...template, ...changes })).toThrow(`templates/a.yaml: ${sentence}`);
  });

  test('has to be YAML', () => {
    expect(() => readOne('{')).toThrow('templates/a.yaml: it is not YAML.');
  });
});

describe('a release', () => {
  const release = (version: string, more = '') =>
    `---\nversion: '${version}'\ndate: '2026-01-20'\n${more}---\n\n- It *works*.\n`;
  const sha256 = 'ab'.repeat(32);
  const readOne = (text: string) => readChangelog(folderOf({ 'changelog/a.md': text }));

  test('has what is known of it, and its text as HTML', () => {
    const known = `url: https://a.test/Selfsame-1.2.0.dmg\nsha256: ${sha256}\nsize: 42100000\n`;
    expect(readOne(release('1.2.0', known))).toEqual([
      {
        version: '1.2.0',
        date: '2026-01-20',
        url: 'https://a.test/Selfsame-1.2.0.dmg',
        sha256,
        size: 42_100_000,
        content: '<ul>\n<li>It <em>works</em>.</li>\n</ul>\n',
      },
    ]);
  });

  test('comes before lower versions, whose parts are compared as numbers', () => {
    const versions = ['1.9.1', '1.10.0', '1.9', '2.0.0', '1.9.10'];
    const files = versions.map((version) => [`changelog/${version}.md`, release(version)] as const);
    expect(readChangelog(folderOf(Object.fromEntries(files))).map(({ version }) => version)).toEqual([
      '2.0.0',
      '1.10.0',
      '1.9.10',
      '1.9.1',
      '1.9',
    ]);
  });

  test.each([
    [release('v1.2.0'), /^changelog\/a\.md: the field "version" is not right, because it should look like /],
    [
      release('1.2.0', `sha256: ${sha256}\n`),
      'changelog/a.md: the field "url" is not right, because sha256 and size are those of a disk image at an address of its own.',
    ],
    [release('1.2.0', 'url: http://a.test/A.dmg\n'), /the field "url" is not right/],
    [release('1.2.0', 'url: https://a.test/A.zip\n'), /the field "url" is not right/],
    [release('1.2.0', "minimumSystemVersion: 'Sonoma'\n"), /the field "minimumSystemVersion" is not right/],
  ])('is refused in a sentence: %#', (text, sentence) => {
    expect(() => readOne(text)).toThrow(sentence);
  });

  test('may not have the version of another', () => {
    const folder = folderOf({ 'changelog/a.md': release('1.0'), 'changelog/b.md': release('1.0') });
    expect(() => readChangelog(folder)).toThrow(
      'changelog/b.md: the field "version" is 1.0, which changelog/a.md already has.',
    );
  });
});
