import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { budgets, checkColdStart } from '../../infra/constructs/lambda/cold-start-budget.ts';
import { api } from '../../schemas/api.ts';
import { backgroundFunctions } from '../../schemas/config/environment.ts';
import { handlerFolders } from '../fixtures/aws/stack.ts';

/** A bundle whose entry imports one chunk statically and another on demand. Sizes in bytes. */
const bundleOf = ({ eager, lazy }: { eager: number; lazy: number }): Metafile => ({
  inputs: {},
  outputs: {
    'out/index.mjs': {
      bytes: 1_000,
      inputs: { 'functions/triggers/custom-message.ts': { bytesInOutput: 1_000 } },
      imports: [
        { path: 'out/eager.mjs', kind: 'import-statement' },
        { path: 'out/lazy.mjs', kind: 'dynamic-import' },
        { path: 'node:crypto', kind: 'import-statement', external: true },
      ],
      exports: ['handler'],
      entryPoint: 'functions/triggers/custom-message.ts',
    },
    'out/eager.mjs': {
      bytes: eager,
      inputs: { 'node_modules/@scope/big/index.js': { bytesInOutput: eager } },
      imports: [],
      exports: [],
    },
    'out/lazy.mjs': { bytes: lazy, inputs: {}, imports: [], exports: [], entryPoint: 'lazy.ts' },
  },
});

const entry = 'triggers/custom-message';
const budget = (budgets[entry] ?? 0) * 1_000;

test('a bundle may load as much at a cold start as its budget allows', () => {
  expect(() => checkColdStart(entry, bundleOf({ eager: budget - 1_000, lazy: 0 }))).not.toThrow();
});

test('a bundle above its budget is refused with its excess and its largest parts', () => {
  expect(() => checkColdStart(entry, bundleOf({ eager: budget + 500, lazy: 0 }))).toThrow(
    /^functions\/triggers\/custom-message\.ts loads .* 1\.5 kB more than its budget\. .*: @scope\/big .* kB, functions\/triggers\/custom-message\.ts 1\.0 kB\.$/,
  );
});

test('modules that a bundle imports on demand are not counted', () => {
  expect(() => checkColdStart(entry, bundleOf({ eager: 1_000, lazy: 10_000_000 }))).not.toThrow();
});

test('every function has a budget', () => {
  const handlers = [
    ...Object.entries(api).map(([name, { caller }]) => `${handlerFolders[caller]}/${name}`),
    ...Object.keys(backgroundFunctions),
  ];
  expect(Object.keys(budgets).toSorted()).toEqual(handlers.toSorted());
});
