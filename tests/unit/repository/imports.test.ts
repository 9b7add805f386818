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
    .filter(([, imported = '']) => !/^(infra\/local|tests\/fixtures)\//.test(imported));
  expect(outside).toEqual([['infra/local/stack/synthesis-child.ts', 'infra/app.ts']]);
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
