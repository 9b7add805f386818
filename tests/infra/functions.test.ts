import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { api } from '../../schemas/api.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { backgroundFunctions, type Need, needs as variablesOf } from '../../schemas/environment.ts';
import { METRIC_NAMESPACE } from '../../schemas/metrics.ts';
import { ORIGIN_KEYS } from '../../schemas/origin-key.ts';
import {
  emptyHandlers,
  handlerFolders,
  stageNames,
  templateOf,
  templatesOf,
  testedStages,
} from '../fixtures/stack.ts';
import { functionOf, resources, rightsOf } from '../fixtures/template.ts';

// With the real handlers, so that each is bundled once.
const templates = templatesOf({ handlers: 'functions' });

const pascalCase = (name: string): string =>
  name
    .split(/[/-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const routes: [string, Endpoint][] = Object.entries(api);
/** All functions, by their path of constructs. */
const functionsWithNeeds: [string, readonly Need[]][] = [
  ...routes.map(([name, route]): [string, readonly Need[]] => [`Api${pascalCase(name)}`, route.needs]),
  ...Object.entries(backgroundFunctions).map(([entry, listed]): [string, readonly Need[]] => [
    pascalCase(entry),
    listed,
  ]),
];

/** What each need lets a function do, action by action. */
const rightsOfNeeds: Record<Need, string[]> = {
  readPlans: on('DataUserPlans', 'GetItem'),
  writePlans: on('DataUserPlans', 'GetItem', 'PutItem', 'UpdateItem'),
  findExpiredPlans: on('DataUserPlans/index/by_expiry', 'Query'),
  findIdlePlans: on('DataUserPlans/index/by_idle', 'Query'),
  recordPasswordMails: on('DataUserPlans', 'UpdateItem'),
  scanPlans: on('DataUserPlans', 'Scan'),
  deletePlans: on('DataUserPlans', 'DeleteItem'),
  leaveTasks: on('DataStripeWork', 'UpdateItem'),
  doTasks: on('DataStripeWork', 'Query', 'UpdateItem', 'DeleteItem'),
  eventCursor: on('DataStripeWork', 'GetItem', 'PutItem'),
  joinWaitlist: on('DataWaitlist', 'PutItem'),
  readWaitlist: on('DataWaitlist', 'GetItem'),
  moveWaitlist: on('DataWaitlist', 'GetItem', 'PutItem', 'DeleteItem'),
  addresses: on('DataAddresses', 'GetItem', 'PutItem', 'DeleteItem'),
  readAddresses: on('DataAddresses', 'GetItem'),
  addressChanges: on('DataAddressChanges', 'GetItem', 'PutItem'),
  readAddressChanges: on('DataAddressChanges', 'GetItem'),
  removeAddressChanges: on('DataAddressChanges', 'DeleteItem'),
  stripe: [secret('stripe')],
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
  site: [],
  codeMail: [],
  findAccounts: inPool('AdminGetUser', 'ListUsers'),
  listAccounts: inPool('ListUsers'),
  backUpUsers: [
    's3:PutObject DataBackupsBucket/users/*',
    's3:GetObject DataBackupsBucket/users/IdentityPool/export.json',
    's3:ListBucket DataBackupsBucket',
  ],
  lookUpAccounts: inPool('AdminGetUser'),
  removeAccounts: inPool('AdminDeleteUser'),
  setAddresses: inPool('AdminUpdateUserAttributes'),
  lockAccounts: inPool(
    'AdminResetUserPassword',
    'AdminSetUserPassword',
    'AdminDisableProviderForUser',
    'AdminDisableUser',
    'AdminEnableUser',
    'AdminUserGlobalSignOut',
  ),
  canary: [
    'secretsmanager:GetSecretValue CanaryUserSecret',
    ...inPool('AdminInitiateAuth', 'AdminCreateUser', 'AdminSetUserPassword'),
  ],
};

/** Where Lambda leaves the record of a run that has failed for good. */
const toDeadLetters = ['SendMessage', 'GetQueueAttributes', 'GetQueueUrl'].map(
  (action) => `sqs:${action} DeadLettersQueue`,
);

/** What triggers may do to their pool: not needs, since they would make a cycle in the template. */
const poolRightsOfTriggers: Record<string, string[] | undefined> = {
  TriggersCustomMessage: ['AdminDeleteUser', 'AdminGetUser'],
  TriggersPostConfirmation: ['AdminDeleteUser', 'AdminGetUser', 'AdminUserGlobalSignOut'],
  TriggersPreSignUp: ['AdminDeleteUser', 'AdminGetUser', 'AdminLinkProviderForUser'],
};

function on(table: string, ...actions: string[]): string[] {
  return actions.map((action) => `dynamodb:${action} ${table}`);
}
function inPool(...actions: string[]): string[] {
  return actions.map((action) => `cognito-idp:${action} IdentityPool`);
}
function secret(name: string): string {
  return `secretsmanager:GetSecretValue secret:selfsame/<stage>/${name}-??????`;
}
/** The log group beside a function. */
const logsOf = (constructs: string): string => `${constructs}Logs`;

describe.each(stageNames)('the stack of %s', (stageName) => {
  const template = templates[stageName];
  const functionsOfStage = functionsWithNeeds
    .filter(([constructs]) => constructs !== 'SchedulesCanary' || testedStages[stageName].canary)
    .map(([constructs, listed]): [string, readonly Need[]] => [
      constructs === 'SchedulesCanary' ? 'CanaryFunction' : constructs,
      listed,
    ]);

  test.each(functionsOfStage)('gives %s the variables of its needs and no others', (constructs, wanted) => {
    const { variables = {} } = functionOf(template, constructs);
    const expected = [
      METRIC_NAMESPACE,
      ...(constructs.startsWith('Api') ? [ORIGIN_KEYS] : []),
      ...wanted.flatMap((need) => Object.keys(variablesOf[need])),
    ];
    expect(new Set(Object.keys(variables))).toEqual(new Set(expected));
  });

  test.each(functionsOfStage)('lets %s do what its needs say, and nothing else', (constructs, wanted) => {
    const expected = [
      ...wanted.flatMap((need) => rightsOfNeeds[need].map((right) => right.replace('<stage>', stageName))),
      ...(poolRightsOfTriggers[constructs] ?? []).map((action) => `cognito-idp:${action} IdentityPool`),
      ...(/^(Schedules|Events)/.test(constructs) ? toDeadLetters : []),
      ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => `${action} ${logsOf(constructs)}`),
    ];
    expect(new Set(rightsOf(template, constructs))).toEqual(new Set(expected));
  });

  test('lets no function describe secrets, send raw mail, or do anything by a wildcard', () => {
    const policies = resources(template, 'AWS::IAM::Policy').filter(
      // CDK's own functions upload the site, and empty its bucket.
      ([id]) => !id.startsWith('CustomCDKBucketDeployment'),
    );
    expect(policies.length).toBeGreaterThan(functionsOfStage.length);
    for (const [, { Properties }] of policies) {
      const document = JSON.stringify(Properties['PolicyDocument']);
      expect(document).not.toMatch(/DescribeSecret|SendRawEmail/);
      expect(document).not.toMatch(/"Action":(\[[^\]]*)?"[^"]*\*"/);
      // SES's list of suppressed addresses is the account's, and no resource.
      const withResources = document.replaceAll(/\{"Action":"ses:GetSuppressedDestination"[^}]*\}/g, '');
      expect(withResources).not.toContain('"Resource":"*"');
    }
  });

  test('runs every function on Node.js 24 and arm64', () => {
    // CDK's own function, which uploads the site, is in Python.
    const ours = resources(template, 'AWS::Lambda::Function').filter(
      ([id, { Properties }]) =>
        !id.startsWith('Custom') && !String(Properties['Runtime']).startsWith('python'),
    );
    expect(ours).toHaveLength(functionsOfStage.length);
    for (const [, { Properties }] of ours) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });
});

describe('a route added to the table', () => {
  const hello = {
    method: 'GET',
    path: '/hello',
    caller: 'bearer',
    needs: ['readPlans'],
    response: z.object({}),
    status: 200,
    refusals: [],
  } as const satisfies Endpoint;

  const handlersWith = (file: string): string => emptyHandlers([file, ...Object.keys(backgroundFunctions)]);

  test('is in the template with its function, its authorizer and its rights', () => {
    const template = templateOf({
      stageName: 'staging',
      routes: { hello },
      handlers: handlersWith('api/hello'),
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: 'GET /hello',
      AuthorizationType: 'JWT',
    });
    const { variables, policy } = functionOf(template, 'ApiHello');
    expect(Object.keys(variables ?? {}).toSorted()).toEqual([METRIC_NAMESPACE, ORIGIN_KEYS, 'PLANS_TABLE']);
    expect(policy).toContain('dynamodb:GetItem');
    expect(policy).not.toContain('dynamodb:PutItem');
  });

  test('fails with a clear sentence without its handler file', () => {
    expect(() =>
      templateOf({ stageName: 'staging', routes: { hello }, handlers: handlersWith('api/other') }),
    ).toThrow(/There is no handler file .*api\/hello\.ts/);
  });
});

test('every route has its handler file', () => {
  for (const [name, { caller }] of routes) {
    expect(existsSync(`functions/${handlerFolders[caller]}/${name}.ts`)).toBe(true);
  }
});
