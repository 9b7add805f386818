import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { help } from '../../infra/local/options.ts';
import { product } from '../../schemas/product.ts';

const { scripts, dependencies, license } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
    license: z.string(),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const folders = ['schemas', 'functions', 'infra', 'web', 'tests'] as const;
// Folders that a build or a run makes.
const generated = readFileSync('.gitignore', 'utf8')
  .split('\n')
  .filter((line) => line.endsWith('/'))
  .map((line) => line.slice(0, -1));
const isGenerated = (file: string): boolean =>
  generated.some((folder) => file === folder || file.startsWith(`${folder}/`));

const filesBelow = (folder: string, ending: string): string[] =>
  globSync(`${folder}/**/*${ending}`, {
    exclude: (entry) => generated.includes(path.basename(entry)) || isGenerated(entry),
  });

const documents = [
  'README.md',
  ...globSync('.github/**/*.md'),
  ...folders.flatMap((folder) => filesBelow(folder, 'README.md')),
].toSorted();

const recordFiles = readdirSync('.github/decisions')
  .filter((file) => file !== 'README.md')
  .toSorted();

/** A document in its parts: prose without code, inline code, and fenced blocks by language. */
function partsOf(markdown: string) {
  const fences: { language: string; lines: string[] }[] = [];
  const fence = /^( *)```(\w*)\n(.*?)^\1```$/gms;
  const text = markdown.replaceAll(fence, (_, _indent: string, language: string, body: string) => {
    fences.push({ language, lines: body.split('\n') });
    return '';
  });
  const codes: string[] = [];
  const prose = text.replaceAll(/`([^`\n]+)`/g, (_, code: string) => {
    codes.push(code);
    return '';
  });
  return { text, prose, codes, fences };
}

/** Paths of this repository in a piece of code. `<name>` and `*` stand for any name. */
function pathsIn(code: string): string[] {
  const roots = [...folders, '.github'].map((folder) => folder.replace('.', String.raw`\.`)).join('|');
  return [...code.matchAll(new RegExp(String.raw`(?<![\w./:-])(?:${roots})/[\w./<>*-]*`, 'g'))].map(
    ([found]) => found.replace(/[.,]$/, '').replaceAll(/<\w+>/g, '*'),
  );
}

const scriptsIn = (code: string): string[] => [
  ...[...code.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
  ...[...code.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
];

const exists = (file: string): boolean =>
  isGenerated(file.replace(/\/$/, '')) || (file.includes('*') ? globSync(file).length > 0 : existsSync(file));

/** The paths that an indented tree of folders names. Two spaces lead one level down. */
function pathsInTree(lines: readonly string[]): string[] {
  const above: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = '', name] = /^( *)(\S+\/)(?: |$)/.exec(line) ?? [];
    if (name === undefined) return [];
    above.splice(indent.length / 2, Infinity, name);
    return [above.join('')];
  });
}

/** The anchors that GitHub gives to a document's headings. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', (document) => {
  const markdown = readFileSync(document, 'utf8');
  const { text, prose, codes, fences } = partsOf(markdown);
  const lines = fences.flatMap((fence) => fence.lines);

  test('names paths that exist', () => {
    const named = [...codes, ...lines].flatMap(pathsIn);
    const trees = fences.filter(({ language }) => language === 'tree');
    const missing = [...named, ...trees.flatMap((fence) => pathsInTree(fence.lines))].filter(
      (file) => !exists(file) && !exists(path.join(path.dirname(document), file)),
    );
    expect(missing).toEqual([]);
  });

  test('names npm scripts that exist', () => {
    const named = [...codes, ...lines].flatMap(scriptsIn);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('links to files and headings that exist', () => {
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? document : path.join(path.dirname(document), file);
        if (!existsSync(linked)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(linked, 'utf8')).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('closes every piece of code', () => {
    expect(prose.match(/.*`.*/)?.[0]).toBeUndefined();
  });
});

test('CONTRIBUTING names each variable that tests and benchmarks read', () => {
  const contributing = readFileSync('.github/CONTRIBUTING.md', 'utf8');
  const read = filesBelow('tests', '.ts').flatMap((file) => {
    const named = readFileSync(file, 'utf8').matchAll(/\bSELFSAME_\w+/g);
    return [...named].map(([name]) => name);
  });
  const missing = new Set(read.filter((name) => !contributing.includes(name) && !help().includes(name)));
  expect([...missing]).toEqual([]);
});

test('the README shows the folders of each part of the repository', () => {
  const [tree] = partsOf(readFileSync('README.md', 'utf8')).fences.filter(
    ({ language }) => language === 'tree',
  );
  const shown = pathsInTree(tree?.lines ?? []);
  // Parts of these are named in their lines.
  const summarised = ['tests/unit/', 'tests/integration/', 'web/src/', 'web/content/'];
  const present = folders
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}/`)
    .filter((folder) => !isGenerated(folder.slice(0, -1)) && !generated.includes(path.basename(folder)));
  expect(shown).toEqual(expect.arrayContaining([...present, ...summarised]));
});

describe('the decision records', () => {
  test('are numbered without gaps', () => {
    const numbers = recordFiles.map((file) => file.slice(0, 5));
    expect(numbers).toEqual(recordFiles.map((_, index) => `${String(index + 1).padStart(4, '0')}-`));
  });

  test.each(recordFiles)('%s begins with its title, status and date', (file) => {
    expect(readFileSync(`.github/decisions/${file}`, 'utf8')).toMatch(
      /^# .+\n\nStatus: (accepted|superseded by \d{4})\n\nDate: \d{4}-\d\d-\d\d\n/,
    );
  });

  test('are all in the index, with their titles', () => {
    const index = readFileSync('.github/decisions/README.md', 'utf8');
    for (const file of recordFiles) {
      const [title = ''] = readFileSync(`.github/decisions/${file}`, 'utf8').split('\n');
      expect(index).toContain(`- [${file.slice(0, 4)}](${file}) ${title.slice(2)}. `);
    }
  });

  test('that code names exist', () => {
    const sources = folders.flatMap((folder) =>
      ['.ts', '.tsx', '.mjs', '.css'].flatMap((ending) => filesBelow(folder, ending)),
    );
    const named = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\.github\/decisions\/[\w.-]+/g)].map(([found]) =>
        found.replace(/\.$/, ''),
      ),
    );
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

test('.node-version names the Node.js that npm installs', () => {
  expect(readFileSync('.node-version', 'utf8').trim()).toBe(dependencies['node']);
});

test('.editorconfig and oxfmt agree on the width of a line', () => {
  const { printWidth } = z
    .object({ printWidth: z.number() })
    .parse(JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')));
  expect(readFileSync('.editorconfig', 'utf8')).toContain(`max_line_length = ${printWidth}\n`);
});

test('SECURITY.md names the support address', () => {
  expect(readFileSync('.github/SECURITY.md', 'utf8')).toContain(product.supportEmail);
});

test('LICENSE and package.json agree that no licence is granted', () => {
  expect(license).toBe('UNLICENSED');
  expect(readFileSync('LICENSE', 'utf8')).toContain('All rights reserved.');
});
