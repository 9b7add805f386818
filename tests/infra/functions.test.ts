import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { api } from '../../schemas/api.ts';
import type { Stage } from '../../infra/stages/stage.ts';
import { stages } from '../../infra/stages.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { backgroundFunctions, type Need, needs as variablesOf } from '../../schemas/environment.ts';
import { METRIC_NAMESPACE } from '../../schemas/metrics.ts';
import { emptyHandlers, handlerFolders, stageNames, templateOf, templatesOf } from '../fixtures/stack.ts';
import { functionOf, resources } from '../fixtures/template.ts';

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

describe.each(stageNames)('the stack of %s', (stageName) => {
  const template = templates[stageName];
  const functionsOfStage = functionsWithNeeds
    .filter(([constructs]) => constructs !== 'SchedulesCanary' || (stages[stageName] as Stage).canary)
    .map(([constructs, listed]): [string, readonly Need[]] => [
      constructs === 'SchedulesCanary' ? 'CanaryFunction' : constructs,
      listed,
    ]);

  test.each(functionsOfStage)('gives %s the variables of its needs and no others', (constructs, wanted) => {
    const { variables = {} } = functionOf(template, constructs);
    const expected = [METRIC_NAMESPACE, ...wanted.flatMap((need) => Object.keys(variablesOf[need]))];
    expect(new Set(Object.keys(variables))).toEqual(new Set(expected));
  });

  test.each(functionsOfStage)('gives %s the rights of its needs and no others', (constructs, wanted) => {
    const { policy } = functionOf(template, constructs);
    const may = (need: Need) => wanted.includes(need);
    expect(policy.includes('secretsmanager:GetSecretValue')).toBe(
      may('stripe') || may('github') || may('signIdTokens') || may('canary'),
    );
    expect(policy.includes('dynamodb:UpdateItem')).toBe(
      may('writePlans') || may('leaveTasks') || may('stripeWork'),
    );
    expect(policy.includes('dynamodb:PutItem')).toBe(
      may('writePlans') ||
        may('joinWaitlist') ||
        may('moveWaitlist') ||
        may('stripeWork') ||
        may('addresses') ||
        may('addressChanges'),
    );
    expect(policy.includes('dynamodb:DeleteItem')).toBe(
      may('deletePlans') ||
        may('moveWaitlist') ||
        may('stripeWork') ||
        may('addresses') ||
        may('removeAddressChanges'),
    );
    expect(policy.includes('cognito-idp:AdminUpdateUserAttributes')).toBe(may('setAddresses'));
    expect(policy.includes('cognito-idp:AdminSetUserPassword')).toBe(may('lockAccounts') || may('canary'));
    expect(policy.includes('cognito-idp:AdminCreateUser')).toBe(may('canary'));
    expect(policy.includes('cognito-idp:AdminInitiateAuth')).toBe(may('canary'));
    expect(policy.includes('cognito-idp:AdminDisableUser')).toBe(may('lockAccounts'));
    expect(policy.includes('cognito-idp:AdminEnableUser')).toBe(may('lockAccounts'));
    expect(policy.includes('cognito-idp:ListUsers')).toBe(may('findAccounts') || may('listAccounts'));
    expect(policy.includes('s3:PutObject')).toBe(may('backUpUsers'));
    expect(policy.includes('cognito-idp:AdminGetUser')).toBe(
      may('findAccounts') || may('lookUpAccounts') || constructs.startsWith('Triggers'),
    );
    expect(policy.includes('cognito-idp:AdminDeleteUser')).toBe(
      may('removeAccounts') || constructs.startsWith('Triggers'),
    );
    expect(policy.includes('kms:Sign')).toBe(may('signIdTokens'));
    expect(policy.includes('ses:SendEmail')).toBe(may('mail'));
    expect(policy.includes('ses:GetSuppressedDestination')).toBe(may('suppressedMail'));
    expect(policy).not.toContain('ses:SendRawEmail');
    expect(policy.includes('dynamodb:Scan')).toBe(may('scanPlans'));
    expect(policy).not.toMatch(/dynamodb:(\*|DeleteTable)/);
    expect(policy).not.toMatch(/"Action":"[^"]*\*"/);
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
    expect(Object.keys(variables ?? {})).toEqual([METRIC_NAMESPACE, 'PLANS_TABLE']);
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
