import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { circleIn, importGraph, importsIn } from '../../fixtures/repository/import-graph.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const FOLDERS = ['schemas', 'functions', 'infra', 'web/src', 'web/build'];
const graph = importGraph(root, FOLDERS);

// oxlint's import/no-cycle does not follow lazy imports.
test('no file imports itself through others, not even lazily or as a type', () => {
  expect(graph.size).toBeGreaterThan(200);
  expect(circleIn(graph)?.join(' → ')).toBeUndefined();
});

test('a circle through a lazy import is found', () => {
  const sources = {
    'a.ts': "import { b } from './b.ts';",
    'b.ts': "export const b = async () => (await import('./in/c.ts')).c;",
    'in/c.ts': "import type { A } from '../a.ts';",
  };
  const circle = circleIn(
    new Map(Object.entries(sources).map(([file, source]) => [file, importsIn(source, file)])),
  );
  expect(circle).toEqual(['a.ts', 'b.ts', 'in/c.ts', 'a.ts']);
});

test('the local world knows the product only by its synthesized template', () => {
  const outside = [...graph]
    .filter(([file]) => file.startsWith('infra/local/') && !file.startsWith('infra/local/people/'))
    .flatMap(([file, imports]) => imports.map((imported) => [file, imported]))
    .filter(([, imported = '']) => !/^(infra\/local|tests\/fixtures\/(browser|worlds))\//.test(imported));
  expect(outside).toEqual([['infra/local/stack/synthesis-child.ts', 'infra/app.ts']]);
});

/** The modules of the local world that tests take besides `start-world.ts` and types, and why. */
const exceptions: readonly [files: RegExp, modules: RegExp, reason: string][] = [
  [/^tests\//, /^stack\/(synthesis|function-code)\.ts$/, 'All worlds of a run share one synthesis.'],
  [/^tests\//, /^people\/(cookie|srp)-client\.ts$/, 'Clients that use a world over HTTP.'],
  [
    /^tests\/simulation\/world\//,
    /^(in-process|vendors\/stripe)\//,
    'Thousands of histories, without a promise for each call.',
  ],
  [/account-defaults\.test\.ts$/, /^(base|in-process|vendors)\//, 'Stripe’s forms, as they are sent.'],
  [
    /stripe-rotation\.test\.ts$/,
    /^(aws\/secrets|base|vendors)/,
    'A key of Stripe that changes, and counted reads of a secret.',
  ],
  [/infra\/mail\.test\.ts$/, /^(aws|stack)\//, 'The rules of both stages on one bus.'],
  [/(document-command|doc)s\.test\.ts$/, /^world\/options\.ts$/, 'The options that documents name.'],
  [/content-errors\.test\.ts$/, /^site\/development-errors\.ts$/, 'A plugin of Vite.'],
  [
    /identity-providers\.test\.ts$/,
    /^vendors\/identity-providers\//,
    'The compiler names a provider without a stand-in.',
  ],
  [/^tests\/fixtures\/repository\/kept\.ts$/, /^base\/file-hash\.ts$/, 'The hash of what a synthesis reads.'],
  [/^tests\/benchmarks\//, /./, 'Measurements of parts.'],
  [/^tests\/browsers\//, /^base\/loopback\.ts$/, 'A free port for a driver.'],
];

test('tests start the local world by startWorld, or use it over HTTP', () => {
  const importOf = /^import (?!type )(.*?) from '([^']+)';/gms;
  const taken = globSync('tests/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(importOf)]
      .filter(([, names = '']) => !/^\{(\s*type \w+,?)+\s*\}$/.test(names))
      .map(([, , from = '']) => path.posix.join(path.posix.dirname(file), from))
      .filter((imported) => imported.startsWith('infra/local/'))
      .map((imported) => [file, imported.slice('infra/local/'.length)] as const),
  );
  const matching = (file: string, module: string) =>
    exceptions.filter(([files, modules]) => files.test(file) && modules.test(module));
  expect(
    taken.filter(([file, module]) => module !== 'start-world.ts' && matching(file, module).length === 0),
  ).toEqual([]);
  const used = new Set(taken.flatMap(([file, module]) => matching(file, module)));
  expect(exceptions.filter((exception) => !used.has(exception))).toEqual([]);
});

test('a room of the local world imports only rooms below it', () => {
  const rooms = ['base', 'stack', 'vendors', 'aws', 'people', 'console'];
  const floorOf = (file: string) => rooms.indexOf(/^infra\/local\/([^/]+)/.exec(file)?.[1] ?? '');
  const upward = [...graph]
    .filter(([file]) => floorOf(file) !== -1)
    .flatMap(([file, imports]) => imports.map((imported) => [file, imported]))
    .filter(([file = '', imported = '']) => floorOf(imported) > floorOf(file));
  expect(upward).toEqual([]);
});
