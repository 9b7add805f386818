import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { help } from '../../../infra/local/world/options.ts';
import { commands } from '../../../infra/operate/ops.ts';
import { product } from '../../../schemas/product/product.ts';
import { codeIn, partsOf } from './documents.ts';

const { scripts, optionalDependencies, license } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
    license: z.string(),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const folders = ['schemas', 'functions', 'infra', 'web', 'tests'] as const;
// Folders that a build or a run makes.
const generated = readFileSync('.gitignore', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.includes('*'))
  .map((line) => line.replace(/\/$/, ''));
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

/** Paths of this repository in a piece of code. `<name>` and `*` stand for any name. */
function pathsIn(code: string): string[] {
  const roots = [...folders, '.github'].map((folder) => folder.replace('.', String.raw`\.`)).join('|');
  return [...code.matchAll(new RegExp(String.raw`(?<![\w./:-])(?:${roots})/[\w./<>*-]*`, 'g'))].map(
    ([found]) => found.replace(/[.,]$/, '').replaceAll(/<\w+>/g, '*'),
  );
}

const scriptsIn = (code: string): string[] => [
  ...[...code.matchAll(/\bnpm run (\w[\w:-]*\w)(?![\w:-])/g)].map(([, name = '']) => name),
  ...[...code.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
];

const operatorCommandsIn = (code: string): string[] =>
  [...code.matchAll(/\bnpm run ops -- (\w[\w-]*)/g)].map(([, name = '']) => name);

const unknownCommandsIn = (code: readonly string[]): string[] => [
  ...code.flatMap(scriptsIn).filter((name) => !(name in scripts)),
  ...code.flatMap(operatorCommandsIn).filter((name) => !(name in commands)),
];

const exists = (file: string): boolean =>
  isGenerated(file.replace(/\/$/, '')) || (file.includes('*') ? globSync(file).length > 0 : existsSync(file));

/** The paths that an indented tree of folders names. Two spaces lead one level down. */
function pathsInTree(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
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

/** The findings of `find` in all documents, each with its document before it. */
const foundIn = (find: (document: string, markdown: string) => readonly string[]): string[] =>
  documents.flatMap((document) =>
    find(document, readFileSync(document, 'utf8')).map((found) => `${document}: ${found}`),
  );

describe('the documents', () => {
  test('name paths that exist', () => {
    const missing = foundIn((document, markdown) => {
      const trees = partsOf(markdown).fences.filter(({ language }) => language === 'tree');
      return [...codeIn(document).flatMap(pathsIn), ...trees.flatMap(({ body }) => pathsInTree(body))].filter(
        (file) => !exists(file) && !exists(path.join(path.dirname(document), file)),
      );
    });
    expect(missing).toEqual([]);
  });

  test('name npm scripts and operator’s commands that exist', () => {
    expect(foundIn((document) => unknownCommandsIn(codeIn(document)))).toEqual([]);
  });

  test('link to files and headings that exist', () => {
    const broken = foundIn((document, markdown) =>
      [...partsOf(markdown).text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#');
          const linked = file === '' ? document : path.join(path.dirname(document), file);
          if (!existsSync(linked)) return true;
          return anchor !== undefined && !anchorsOf(readFileSync(linked, 'utf8')).includes(anchor);
        }),
    );
    expect(broken).toEqual([]);
  });

  test('close every piece of code', () => {
    expect(foundIn((_, markdown) => partsOf(markdown).prose.match(/.*`.*/g) ?? [])).toEqual([]);
  });

  test('stay short', () => {
    const limits = [
      ['README.md', 1_500],
      ['.github/CONTRIBUTING.md', 2_500],
      ...recordFiles.map((file) => [`.github/decisions/${file}`, 250] as const),
    ] as const;
    const long = limits.flatMap(([file, limit]) => {
      const words = readFileSync(file, 'utf8').match(/\S*[\p{L}\d]\S*/gu) ?? [];
      return words.length > limit ? `${file}: ${words.length} words, of at most ${limit}` : [];
    });
    expect(long).toEqual([]);
  });
});

test('the code names npm scripts and operator’s commands that exist', () => {
  const unknown = folders
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .flatMap((file) =>
      unknownCommandsIn([readFileSync(file, 'utf8')]).map((command) => `${file}: ${command}`),
    );
  expect(unknown).toEqual([]);
});

test('tests/README.md names each variable that tests and benchmarks read', () => {
  const variables = readFileSync('tests/README.md', 'utf8') + help();
  const read = ['tests', 'infra/local/tests', 'infra/local/wire']
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .flatMap((file) => {
      const named = readFileSync(file, 'utf8').matchAll(/\bSELFSAME_\w+/g);
      return [...named].map(([name]) => name);
    });
  const missing = new Set(read.filter((name) => !variables.includes(name)));
  expect([...missing]).toEqual([]);
});

test('the README shows the folders of each part of the repository', () => {
  const [tree] = partsOf(readFileSync('README.md', 'utf8')).fences.filter(
    ({ language }) => language === 'tree',
  );
  const shown = pathsInTree(tree?.body ?? '');
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
  test('have a number each', () => {
    const numbers = recordFiles.map((file) => file.slice(0, 5));
    expect(numbers).toEqual([...new Set(numbers)].filter((number) => /^\d{4}-$/.test(number)));
  });

  test('begin with title, status and date', () => {
    const heads = /^# .+\n\nStatus: (accepted|superseded by \d{4})\n\nDate: \d{4}-\d\d-\d\d\n/;
    const without = recordFiles.filter(
      (file) => !heads.test(readFileSync(`.github/decisions/${file}`, 'utf8')),
    );
    expect(without).toEqual([]);
  });

  test('are all in the index, with their titles', () => {
    const index = readFileSync('.github/decisions/README.md', 'utf8');
    for (const file of recordFiles) {
      const [title = ''] = readFileSync(`.github/decisions/${file}`, 'utf8').split('\n');
      expect(index).toContain(`- [${file.slice(0, 4)}](${file}) ${title.slice(2)}`);
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

test('.node-version names the Node.js that npm installs, the same on every platform', () => {
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  expect([...new Set(versions.map(([, version]) => version))]).toEqual([
    readFileSync('.node-version', 'utf8').trim(),
  ]);
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
