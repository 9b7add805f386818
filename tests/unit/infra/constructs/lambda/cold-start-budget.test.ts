import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { checkColdStart } from '../../../../../infra/constructs/lambda/cold-start-budget.ts';

const adapter = 'functions/adapters/adapter.ts';

/** A bundle that loads `eager` at the start, through an adapter, and `lazy` on demand. Sizes in bytes. */
const bundleOf = ({ eager = '', lazy = '', bytes = 1_000 }): Metafile => ({
  inputs: {
    [adapter]: { bytes: 1, imports: [{ path: eager, kind: 'import-statement' }] },
    [eager]: { bytes, imports: [] },
  },
  outputs: {
    'out/index.mjs': {
      bytes: 1_000,
      inputs: { [adapter]: { bytesInOutput: 1_000 } },
      imports: [
        { path: 'out/eager.mjs', kind: 'import-statement' },
        { path: 'out/lazy.mjs', kind: 'dynamic-import' },
        { path: 'node:crypto', kind: 'import-statement', external: true },
      ],
      exports: ['handler'],
      entryPoint: 'functions/handler.ts',
    },
    'out/eager.mjs': { bytes, inputs: { [eager]: { bytesInOutput: bytes } }, imports: [], exports: [] },
    'out/lazy.mjs': { bytes: 9e9, inputs: { [lazy]: { bytesInOutput: 9e9 } }, imports: [], exports: [] },
  },
});

const stripe = 'node_modules/stripe/esm/stripe.js';
const database = 'node_modules/@aws-sdk/lib-dynamodb/dist-es/index.js';
const cognito = 'node_modules/@aws-sdk/client-cognito-identity-provider/dist-es/index.js';
const jose = 'node_modules/jose/dist/index.js';
const zod = 'node_modules/zod/v4/classic/schemas.js';
const zodMini = 'node_modules/zod/v4/mini/schemas.js';

test.each([
  ['api/plan', stripe, 'stripe', 'on demand'],
  ['webhooks/stripe-webhook', stripe, 'stripe', 'on demand'],
  ['schedules/billing-tasks', cognito, '@aws-sdk/client-cognito-identity-provider', 'on demand'],
  ['schedules/canary', database, '@aws-sdk/lib-dynamodb', 'the adapter on demand'],
  ['api/sessions', jose, 'jose', 'on demand'],
  ['api/waitlist', zod, 'zod', 'zod/mini'],
])('%s may not load %s, and the error says what to do', (entry, file, name, advice) => {
  const check = () => checkColdStart(entry, bundleOf({ eager: file }));
  expect(check).toThrow(`functions/${entry}.ts loads ${name} at a cold start, through ${adapter}.`);
  expect(check).toThrow(advice);
});

test.each([
  ['api/plan', database],
  ['api/token', jose],
  ['github-oidc/github-oidc', jose],
  ['api/csp-report', zodMini],
])('%s may load %s', (entry, file) => {
  expect(() => checkColdStart(entry, bundleOf({ eager: file }))).not.toThrow();
});

test('a module that is imported on demand counts for nothing', () => {
  expect(() => checkColdStart('api/plan', bundleOf({ lazy: stripe }))).not.toThrow();
});

test.each([
  ['api/csp-report', 90],
  ['triggers/pre-sign-up', 310],
  ['api/plan', 370],
  ['api/new', 370],
])('%s may load as much as its class, and no more', (entry, kilobytes) => {
  const bundle = (more: number) =>
    bundleOf({ eager: '@scope/big.ts', bytes: (kilobytes - 1) * 1_000 + more });
  expect(() => checkColdStart(entry, bundle(0))).not.toThrow();
  expect(() => checkColdStart(entry, bundle(500))).toThrow(
    /^functions\/.*\.ts loads .* 0\.5 kB more than .* may\. .*: @scope\/big\.ts .* kB, functions\/adapters\/adapter\.ts 1\.0 kB\.$/,
  );
});
