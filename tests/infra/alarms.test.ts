import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Annotations, Match, Template as Assertions } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Alarms } from '../../infra/constructs/alarms.ts';
import { ACCOUNT, REGION } from '../../infra/local/stack/resource-type.ts';
import { resourceTypes } from '../../infra/local/aws/services.ts';
import { Template } from '../../infra/local/stack/template.ts';
import { type StageName, stages } from '../../infra/stages.ts';
import { stackOf } from '../fixtures/stack.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]);
const Statement = z.strictObject({
  Sid: z.optional(z.string()),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.union([z.literal('*'), z.strictObject({ Service: oneOrMore })]),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z._default(z.record(z.string(), z.record(z.string(), oneOrMore)), {}),
});
type Statement = z.infer<typeof Statement>;
const TopicPolicy = z.object({
  Topics: z.array(z.string()),
  PolicyDocument: z.object({ Statement: z.array(Statement) }),
});
const Alarm = z.object({ AlarmActions: z.array(z.string()) });

/** A service's request to publish to a topic, with its condition keys. */
interface Publish {
  service: string;
  topic: string;
  context: Record<string, string>;
}

// Every operator here is false where the request lacks the key.
const operators = new Map<string, (actual: string, wanted: string) => boolean>([
  ['StringEquals', (actual, wanted) => actual === wanted],
  ['Bool', (actual, wanted) => actual === wanted],
  ['ArnLike', (actual, wanted) => path.matchesGlob(actual, wanted)],
]);

function matches(statement: Statement, { service, topic, context }: Publish): boolean {
  const { Principal, Action, Resource, Condition } = statement;
  const names = (given: string | string[], wanted: string): boolean =>
    [given].flat().some((name) => name === '*' || name.toLowerCase() === wanted.toLowerCase());
  return (
    (Principal === '*' || names(Principal.Service, service)) &&
    names(Action, 'sns:Publish') &&
    names(Resource, topic) &&
    Object.entries(Condition).every(([name, keys]) =>
      Object.entries(keys).every(([key, wanted]) => {
        const operator = operators.get(name);
        if (!operator) throw new Error(`This reader of policies does not know ${name}.`);
        const actual = context[key];
        return actual !== undefined && [wanted].flat().some((each) => operator(actual, each));
      }),
    )
  );
}

const isAllowed = (statements: readonly Statement[], request: Publish): boolean =>
  statements.some((each) => each.Effect === 'Allow' && matches(each, request)) &&
  !statements.some((each) => each.Effect === 'Deny' && matches(each, request));

const synthesised = {
  staging: stackOf({ stageName: 'staging' }),
  production: stackOf({ stageName: 'production' }),
};

describe.each(Object.keys(stages) as StageName[])('the alarms of %s', (stageName) => {
  const stack = new Template({
    document: Assertions.fromStack(synthesised[stageName]).toJSON(),
    types: resourceTypes,
    stackName: `selfsame-${stageName}`,
  });
  const policies = stack.of('AWS::SNS::TopicPolicy').map(({ properties }) => TopicPolicy.parse(properties));
  const statementsOf = (topic: string): Statement[] =>
    policies
      .filter(({ Topics }) => Topics.includes(topic))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const topics = [
    ...new Set(
      stack.of('AWS::CloudWatch::Alarm').flatMap((alarm) => Alarm.parse(alarm.properties).AlarmActions),
    ),
  ];
  const context = {
    'aws:SecureTransport': 'true',
    'aws:SourceAccount': ACCOUNT,
    'aws:SourceArn': `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:selfsame-${stageName}-Alarms`,
  };
  const may = (service: string, changed: Partial<typeof context> = {}): boolean[] =>
    topics.map((topic) =>
      isAllowed(statementsOf(topic), { service, topic, context: { ...context, ...changed } }),
    );

  test('name a topic each', () => {
    for (const { properties } of stack.of('AWS::CloudWatch::Alarm')) {
      expect(Alarm.parse(properties).AlarmActions).toHaveLength(1);
    }
    expect(topics).toHaveLength(1);
  });

  test('may publish to their topic', () => {
    expect(may('cloudwatch.amazonaws.com')).toEqual([true]);
  });

  test('may not publish without TLS', () => {
    expect(may('cloudwatch.amazonaws.com', { 'aws:SecureTransport': 'false' })).toEqual([false]);
  });

  test.each([
    ['another account', { 'aws:SourceAccount': '999999999999' }],
    ['an alarm of another account', { 'aws:SourceArn': `arn:aws:cloudwatch:${REGION}:999999999999:alarm:a` }],
    ['an alarm of another region', { 'aws:SourceArn': `arn:aws:cloudwatch:eu-west-1:${ACCOUNT}:alarm:a` }],
    ['something else than an alarm', { 'aws:SourceArn': `arn:aws:events:${REGION}:${ACCOUNT}:rule/a` }],
  ])('share their topic with nothing that CloudWatch does for %s', (_, changed) => {
    expect(may('cloudwatch.amazonaws.com', changed)).toEqual([false]);
  });

  test('share their topic with no other service', () => {
    expect(may('events.amazonaws.com')).toEqual([false]);
  });
});

describe('a deployment of production', () => {
  const warningsOf = (stack: Stack): string[] =>
    Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => JSON.stringify(entry.data));

  test('stops at a warning', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['deploy:production']).toBe('node infra/deploy/deploy.ts production --strict');
  });

  test('is warned of nothing, since a missing setting is an error', () => {
    expect(warningsOf(synthesised.production)).toEqual([]);
  });

  test('is not warned of alarms that have an email address', () => {
    const stack = new Stack(new App());
    new Alarms(stack, 'Alarms', { email: 'alarms@selfsame.example' });
    expect(warningsOf(stack)).toEqual([]);
  });
});
