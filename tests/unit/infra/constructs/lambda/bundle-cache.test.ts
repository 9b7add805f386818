import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeEach, describe, expect, test } from 'vitest';
import { BundleCache } from '../../../../../infra/constructs/lambda/bundle-cache.ts';
import { folderOf, temporaryFolder } from '../../../../fixtures/repository/temporary-folder.ts';

let sources: string;
let kept: string;

const file = (name: string) => path.join(sources, name);

/** As in a new process. */
const cache = (settings: unknown = { minify: true }) =>
  new BundleCache(kept, { settings, packages: [file('package-lock.json')] });

const metafile = (...names: string[]): Metafile => ({
  inputs: Object.fromEntries(
    names.map((name) => [path.relative('.', file(name)), { bytes: 1, imports: [] }]),
  ),
  outputs: {},
});

/** Keeps a bundle with this code. By default, its files are older than the bundle. */
function keep(code: string, of: Metafile, began = Infinity): void {
  const from = folderOf({ 'index.mjs': code, 'chunk-a.mjs': 'shared' });
  cache().keep('api/plan', { from, metafile: of, began });
}

beforeEach(() => {
  kept = temporaryFolder();
  sources = folderOf({ 'plan.ts': 'a plan', 'schema.ts': 'a schema', 'package-lock.json': '{}' });
  keep('the plan', metafile('plan.ts', 'schema.ts'));
  return () => {
    for (const folder of [kept, sources]) rmSync(folder, { recursive: true, force: true });
  };
});

test('a bundle is taken over as long as nothing has changed, with its metafile', () => {
  const into = temporaryFolder();
  expect(cache().copy('api/plan', into)).toEqual(metafile('plan.ts', 'schema.ts'));
  expect(readFileSync(path.join(into, 'index.mjs'), 'utf8')).toBe('the plan');
  expect(readFileSync(path.join(into, 'chunk-a.mjs'), 'utf8')).toBe('shared');
});

test('a handler that has never been bundled is bundled', () => {
  expect(cache().copy('api/waitlist', temporaryFolder())).toBeUndefined();
});

describe('a handler is bundled again', () => {
  test.each([
    ['after a change of a file it imports', () => writeFileSync(file('schema.ts'), 'another schema')],
    ['if a file it imports is gone', () => rmSync(file('schema.ts'))],
    ['with other packages', () => writeFileSync(file('package-lock.json'), '{"a":1}')],
    ['if the kept bundle is gone', () => rmSync(kept, { recursive: true })],
  ])('%s', (_, change) => {
    change();
    expect(cache().copy('api/plan', temporaryFolder())).toBeUndefined();
  });

  test('if a file was saved while it was bundled', () => {
    rmSync(kept, { recursive: true });
    keep('the plan', metafile('plan.ts', 'schema.ts'), 0);
    expect(cache().copy('api/plan', temporaryFolder())).toBeUndefined();
  });

  test('with other options', () => {
    expect(cache({ minify: false }).copy('api/plan', temporaryFolder())).toBeUndefined();
  });
});

test('the newest bundle of a handler takes the place of the one before', () => {
  writeFileSync(file('plan.ts'), 'another plan');
  keep('the newest', metafile('plan.ts'));
  const into = temporaryFolder();
  cache().copy('api/plan', into);
  expect(readFileSync(path.join(into, 'index.mjs'), 'utf8')).toBe('the newest');
  writeFileSync(file('plan.ts'), 'a plan');
  expect(cache().copy('api/plan', into)).toBeUndefined();
});

test('two processes may keep the same bundle', () => {
  keep('the plan', metafile('plan.ts', 'schema.ts'));
  const into = temporaryFolder();
  expect(cache().copy('api/plan', into)).toBeDefined();
  expect(readFileSync(path.join(into, 'index.mjs'), 'utf8')).toBe('the plan');
});
