import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { pascalCase } from '../../infra/constructs/api/api.ts';
import { api } from '../../schemas/api.ts';
import type { Endpoint } from '../../schemas/routes/endpoint.ts';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { type Access, environmentSchemas } from '../../schemas/config/environment.ts';
import { METRIC_NAMESPACE } from '../../schemas/config/metrics.ts';
import { ORIGIN_KEYS } from '../../schemas/config/origin-key.ts';
import {
  emptyHandlers,
  stackOf,
  stageNames,
  templateOf,
  templatesOf,
  testedStages,
} from '../fixtures/aws/stack.ts';
import { rightsOf, rightsOfPolicy, variablesOf } from '../fixtures/aws/template.ts';

// With the real handlers, so that each is bundled once. Production has all of them.
const stack = stackOf({ stageName: 'production', handlers: 'functions' });
const templates = { ...templatesOf(), production: Template.fromStack(stack) };

const routes: [string, Endpoint][] = Object.entries(api);
/** All functions, by their path of constructs. */
const functionsWithAccess: [string, Access][] = [
  ...routes.map(([name, route]): [string, Access] => [`Api${pascalCase(name)}`, route]),
  ...Object.entries(backgroundFunctions).map(([entry, access]): [string, Access] => [
    pascalCase(entry),
    access,
  ]),
];

/** `dynamodb:Query DataUserPlans/index/by_expiry` for `Query:by_expiry` on UserPlans. */
const rightsOnTables = ({ tables = {} }: Access): string[] =>
  Object.entries(tables).flatMap(([table, actions]) =>
    actions.map((named) => {
      const [action, index] = named.split(':');
      return `dynamodb:${action} Data${table}${index === undefined ? '' : `/index/${index}`}`;
    }),
  );

describe.each(stageNames)('the stack of %s', (stageName) => {
  const template = templates[stageName];
  const functionsOfStage = functionsWithAccess
    .filter(([constructs]) => constructs !== 'SchedulesCanary' || testedStages[stageName].canary)
    .map(([constructs, access]): [string, Access] => [
      constructs === 'SchedulesCanary' ? 'OperationCanaryFunction' : constructs,
      access,
    ]);

  test.each(functionsOfStage)('gives %s the variables of its access and no others', (constructs, access) => {
    const variables = variablesOf(template, constructs) ?? {};
    const expected = [
      METRIC_NAMESPACE,
      ...(constructs.startsWith('Api') ? [ORIGIN_KEYS] : []),
      ...Object.keys(environmentSchemas(access)),
    ];
    expect(new Set(Object.keys(variables))).toEqual(new Set(expected));
  });

  // infra/snapshots has the other rights. Triggers and the canary get theirs to the pool from constructs.
  test.each(functionsOfStage)(
    'lets %s do in tables and pool what its access says, and no more',
    (constructs, access) => {
      const compared = /^(Triggers|Operation)/.test(constructs) ? /^dynamodb:/ : /^(dynamodb|cognito-idp):/;
      const rights = rightsOf(template, constructs).filter((right) => compared.test(right));
      const inPool = (access.userPool ?? []).map((action) => `cognito-idp:${action} IdentityPool`);
      expect(new Set(rights)).toEqual(new Set([...rightsOnTables(access), ...inPool]));
    },
  );
});

test('the record of a function for each route says how many resources production has', () => {
  const { Resources } = templates.production.toJSON() as { Resources: object };
  expect(readFileSync('.github/decisions/0076-a-function-for-each-route.md', 'utf8')).toContain(
    `Production has ${Object.keys(Resources).length} resources, of 500.`,
  );
});

test('support writes nothing that proves an address', () => {
  const rights = rightsOfPolicy(templates.production, 'OperationSupportPolicy');
  const writes = /^dynamodb:(?!Get|Query)(\S+) Data(Proofs|AddressChanges|Addresses|Limits)$/;
  expect(rights.filter((right) => writes.test(right))).toEqual([]);
  expect(rights.length).toBeGreaterThan(5);
});

test('a route in the table fails with a clear sentence without its handler file', () => {
  const handlers = emptyHandlers(Object.keys(backgroundFunctions));
  expect(() => templateOf({ stageName: 'staging', routes: { plan: api.plan }, handlers })).toThrow(
    /There is no handler file .*api\/plan\.ts/,
  );
});

test('the bundle of every function loads, and has a handler', () => {
  const out = (stack.node.root as App).outdir;
  const files = globSync(path.join(out, 'bundles/*/index.mjs'));
  const script = `for (const file of ${JSON.stringify(files)}) {
    if (typeof (await import(file)).handler !== 'function') throw new Error(file);
  }`;
  const loaded = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(loaded.stderr).toBe('');
  expect(files).toHaveLength(functionsWithAccess.length);
});
