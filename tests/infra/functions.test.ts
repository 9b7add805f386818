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
import { type Access, environmentSchemas, type Need } from '../../schemas/config/environment.ts';
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

/** The rights that each need gives to a function, action by action. */
const rightsOfNeeds: Record<Need, string[]> = {
  stripe: [secret('stripe')],
  tax: [],
  github: [secret('github')],
  signIdTokens: [
    'kms:Sign IssuerKey',
    'kms:GetPublicKey IssuerKey',
    'secretsmanager:GetSecretValue IssuerSecret',
  ],
  mail: [
    'ses:SendEmail identity/MailSenderDomain',
    'ses:SendEmail configuration-set/MailSenderConfigurationSet',
  ],
  suppressedMail: ['ses:GetSuppressedDestination *'],
  unsuppressedMail: ['ses:DeleteSuppressedDestination *'],
  ownPassword: [],
  site: [],
  dueQueue: ['sqs:SendMessage DueAccountsQueue', 'sqs:GetQueueAttributes DueAccountsQueue'],
  relayClient: [],
  relayAddresses: [],
  proofs: ['secretsmanager:GetSecretValue IdentityProofs'],
  appTokens: ['secretsmanager:GetSecretValue IdentityAppTokens'],
  codeMail: [],
  canary: inPool('AdminInitiateAuth', 'AdminCreateUser', 'AdminSetUserPassword'),
};

/** The triggers' rights to their pool: granted elsewhere, since they would make a cycle in the template. */
const poolRightsOfTriggers: Record<string, string[] | undefined> = {
  TriggersPostConfirmation: [
    'AdminDeleteUser',
    'AdminGetUser',
    'AdminSetUserPassword',
    'AdminUpdateUserAttributes',
    'AdminUserGlobalSignOut',
  ],
  TriggersPreTokenGeneration: ['AdminDeleteUser', 'AdminGetUser', 'AdminUpdateUserAttributes'],
  TriggersPreSignUp: [
    'AdminDeleteUser',
    'AdminDisableProviderForUser',
    'AdminGetUser',
    'AdminLinkProviderForUser',
    'AdminSetUserPassword',
    'AdminUserGlobalSignOut',
  ],
};

/** The rights that Lambda needs to read a queue for its function. */
const rightsOfConsumer = [
  'ReceiveMessage',
  'ChangeMessageVisibility',
  'GetQueueUrl',
  'DeleteMessage',
  'GetQueueAttributes',
].map((action) => `sqs:${action} DueAccountsQueue`);

/** `dynamodb:Query DataUserPlans/index/by_expiry` for `Query:by_expiry` on UserPlans. */
const rightsOnTables = ({ tables = {} }: Access): string[] =>
  Object.entries(tables).flatMap(([table, actions]) =>
    actions.map((named) => {
      const [action, index] = named.split(':');
      return `dynamodb:${action} Data${table}${index === undefined ? '' : `/index/${index}`}`;
    }),
  );
function inPool(...actions: string[]): string[] {
  return actions.map((action) => `cognito-idp:${action} IdentityPool`);
}
function secret(name: string): string {
  return `secretsmanager:GetSecretValue secret:selfsame/<stage>/${name}-??????`;
}
/** The log of a function: routes share a log, and so do schedules and triggers. */
const logOf = (constructs: string): string => /^(Api|Schedules|Triggers)/.exec(constructs)?.[0] ?? constructs;

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

  test.each(functionsOfStage)('lets %s do what its access says, and nothing else', (constructs, access) => {
    const expected = [
      ...rightsOnTables(access),
      ...inPool(...(access.userPool ?? [])),
      ...access.needs.flatMap((need) =>
        rightsOfNeeds[need].map((right) => right.replace('<stage>', stageName)),
      ),
      ...inPool(...(poolRightsOfTriggers[constructs] ?? [])),
      ...(constructs === 'SchedulesDueAccounts' ? rightsOfConsumer : []),
      ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => `${action} ${logOf(constructs)}Logs`),
    ];
    expect(new Set(rightsOf(template, constructs))).toEqual(new Set(expected));
  });
});

test('the record of a function for each route says how many resources production has', () => {
  const { Resources } = templates.production.toJSON() as { Resources: object };
  expect(readFileSync('.github/decisions/0076-a-function-for-each-route.md', 'utf8')).toContain(
    `Production has ${Object.keys(Resources).length} resources, of 500.`,
  );
});

/** The writes that these rights allow in the tables that prove an address, and in the counters. */
const writesIn = (rights: readonly string[]): { table: string; action: string }[] =>
  rights.flatMap((right) => {
    const write = /^dynamodb:(?!Get|Query)(\S+) Data(Proofs|AddressChanges|Addresses|Limits)$/.exec(right);
    return write ? [{ action: String(write[1]), table: String(write[2]) }] : [];
  });

test('only these functions write what proves an address, and support writes none of it', () => {
  const { production } = templates;
  const writes = functionsWithAccess
    .filter(([name]) => name !== 'SchedulesCanary')
    .flatMap(([name]) => writesIn(rightsOf(production, name)).map((write) => ({ name, ...write })));
  const writers = Object.groupBy(writes, ({ name }) => name);
  const lines = Object.entries(writers).map(
    ([writer, done = []]) => `${writer}: ${done.map(({ action, table }) => `${action} ${table}`).join(', ')}`,
  );
  expect(lines.toSorted().join('\n')).toMatchInlineSnapshot(`
    "ApiAddressChange: DeleteItem Addresses, PutItem AddressChanges, PutItem Addresses, PutItem Proofs
    ApiChangeEmail: DeleteItem Limits, PutItem AddressChanges, PutItem Proofs, UpdateItem Limits
    ApiChangePassword: PutItem AddressChanges, PutItem Proofs, UpdateItem Limits
    ApiChangeProvider: PutItem AddressChanges, PutItem Proofs, UpdateItem Limits
    ApiConfirmSignUp: PutItem Addresses, PutItem Proofs
    ApiCreateCheckoutSession: UpdateItem Limits
    ApiDeleteAccount: DeleteItem AddressChanges, DeleteItem Addresses, UpdateItem Limits
    ApiEndSession: PutItem AddressChanges
    ApiExport: UpdateItem Limits
    ApiMailLink: DeleteItem Limits, PutItem Proofs, UpdateItem Limits
    ApiResetPassword: DeleteItem Addresses, DeleteItem Proofs, PutItem AddressChanges, PutItem Addresses, PutItem Proofs
    ApiSessions: UpdateItem Limits
    EventsUndeliverableMail: PutItem Limits
    SchedulesBillingTasks: DeleteItem AddressChanges, DeleteItem Addresses, PutItem AddressChanges, PutItem Addresses
    SchedulesDueAccounts: DeleteItem AddressChanges, DeleteItem Addresses, PutItem Addresses, UpdateItem Limits
    SchedulesUnconfirmedSweep: DeleteItem Addresses, PutItem Addresses
    TriggersCustomMessage: DeleteItem Limits, PutItem Proofs, UpdateItem Limits
    TriggersPostConfirmation: DeleteItem Addresses, PutItem Addresses
    TriggersPreSignUp: DeleteItem Addresses, DeleteItem Limits, PutItem AddressChanges, PutItem Addresses, PutItem Proofs, UpdateItem Limits
    TriggersPreTokenGeneration: DeleteItem Addresses, DeleteItem Limits, PutItem AddressChanges, PutItem Addresses, PutItem Proofs, UpdateItem Limits
    TriggersSignInByTicket: DeleteItem Proofs"
  `);
  expect(writesIn(rightsOfPolicy(production, 'OperationSupportPolicy'))).toEqual([]);
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
