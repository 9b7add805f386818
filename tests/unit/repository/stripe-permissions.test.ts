import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const deploying = readFileSync('.github/deploying.md', 'utf8');
const [, section = ''] = deploying.split('## A restricted key for Stripe');
const [table = ''] = section.split('\n## ');

/** `GET /v1/events` of every call in the table; methods that share a path are written before it. */
const permitted = new Set(
  [...table.matchAll(/((?:`(?:GET|POST|DELETE)`(?:, | and ))*)`(GET|POST|DELETE) (\/v1\/[\w/:]+)`/g)].flatMap(
    ([, before = '', last, path]) =>
      [...before.matchAll(/`(\w+)`/g)].map(([, method]) => `${method} ${path}`).concat(`${last} ${path}`),
  ),
);

/** The request of a method of Stripe's client. */
const requests: Record<string, string> = {
  create: 'POST /v1/*',
  createPreview: 'POST /v1/*/create_preview',
  list: 'GET /v1/*',
  retrieve: 'GET /v1/*/:id',
  update: 'POST /v1/*/:id',
  del: 'DELETE /v1/*/:id',
  cancel: 'DELETE /v1/*/:id',
  expire: 'POST /v1/*/:id/expire',
  finalizeInvoice: 'POST /v1/*/:id/finalize',
  release: 'POST /v1/*/:id/release',
  voidInvoice: 'POST /v1/*/:id/void',
  validate: 'POST /v1/*/:id/validate',
};

test.each([
  ['functions/adapters/stripe', 20],
  ['infra/operate/support', 1],
  ['infra/operate/recover', 2],
  ['infra/operate/deploy', 4],
])('the restricted key for Stripe may make each call in %s', (folder, atLeast) => {
  const sources = globSync(`${folder}/**/*.ts`).map((file) => readFileSync(file, 'utf8'));
  const made = sources.flatMap((source) =>
    // A webhook's signature is checked without a call.
    [...source.matchAll(/\b(?:stripe|client)\.(?!webhooks)([a-z]\w*(?:\.[a-z]\w*)*)\.(\w+)\(/g)].map(
      ([call, resource = '', method = '']) =>
        requests[method]
          ?.replace('*', resource.replaceAll('.', '/').replaceAll(/[A-Z]/g, '_$&').toLowerCase())
          // An account has one object of settings.
          .replace('settings/:id', 'settings') ?? call,
    ),
  );
  expect(made.length).toBeGreaterThanOrEqual(atLeast);
  expect(made.filter((call) => !permitted.has(call))).toEqual([]);
});
