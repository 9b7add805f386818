import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Annotations, Match, Template as Assertions } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Alarms } from '../../infra/constructs/alarms/alarms.ts';
import { rollbackAlarms, WATCHED_MINUTES } from '../../infra/operate/deploy/deploy.ts';
import { ACCOUNT, REGION } from '../../infra/local/stack/resource-type.ts';
import { resourceTypes } from '../../infra/local/aws/services.ts';
import { Template } from '../../infra/local/stack/template.ts';
import { type StageName, stages } from '../../infra/stages/stages.ts';
import { stackOf } from '../fixtures/aws/stack.ts';

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
const Alarm = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.string()),
  OKActions: z._default(z.array(z.string()), []),
  InsufficientDataActions: z._default(z.array(z.string()), []),
  TreatMissingData: z.string(),
});
const Timed = z.object({
  AlarmName: z.string(),
  DatapointsToAlarm: z.number(),
  Period: z.optional(z.number()),
  Metrics: z._default(z.array(z.object({ MetricStat: z.optional(z.object({ Period: z.number() })) })), []),
});
const Subscription = z.object({ TopicArn: z.string(), Protocol: z.string(), Endpoint: z.string() });

const runbook = readFileSync('.github/runbook.md', 'utf8');
const runbookEntries = [...runbook.matchAll(/^### `(\S+)`$/gm)].map(([, name]) => name);

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

/** A stack's template, as the local world resolves it. */
const resolved = (stack: Stack): Template =>
  new Template({
    document: Assertions.fromStack(stack).toJSON(),
    types: resourceTypes,
    stackName: stack.stackName,
  });

const synthesized = {
  staging: stackOf({ stageName: 'staging' }),
  production: stackOf({ stageName: 'production' }),
};

describe.each(Object.keys(stages) as StageName[])('the alarms of %s', (stageName) => {
  const stack = resolved(synthesized[stageName]);
  const alarms = stack.of('AWS::CloudWatch::Alarm').map(({ properties }) => Alarm.parse(properties));
  const policies = stack.of('AWS::SNS::TopicPolicy').map(({ properties }) => TopicPolicy.parse(properties));
  const statementsOf = (topic: string): Statement[] =>
    policies
      .filter(({ Topics }) => Topics.includes(topic))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const topics = [...new Set(alarms.flatMap(({ AlarmActions }) => AlarmActions))];
  const context = {
    'aws:SecureTransport': 'true',
    'aws:SourceAccount': ACCOUNT,
    'aws:SourceArn': `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:selfsame-${stageName}-Alarms`,
  };
  const may = (service: string, changed: Partial<typeof context> = {}): boolean[] =>
    topics.map((topic) =>
      isAllowed(statementsOf(topic), { service, topic, context: { ...context, ...changed } }),
    );

  test('name the topic of their severity each', () => {
    expect(topics).toHaveLength(2);
    for (const { AlarmActions, OKActions, AlarmDescription } of alarms) {
      const isUrgent = AlarmDescription.startsWith('Severity: page. ');
      expect(AlarmActions).toEqual([expect.stringContaining(isUrgent ? 'PageTopic' : 'MailTopic')]);
      // A pager closes the incident by itself.
      expect(OKActions).toEqual(isUrgent ? AlarmActions : []);
    }
  });

  test('say what users lose, and where the log and the runbook are', () => {
    for (const { AlarmDescription } of alarms) {
      expect(AlarmDescription).toMatch(/^Severity: (page|mail)\. [A-Z][^`\]]*\.\n/);
      // CloudWatch's limit.
      expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
      const links = AlarmDescription.split('\n').filter((line) => line.startsWith('Log: '));
      for (const link of links) {
        expect(link).toMatch(
          /^Log: https:\/\/us-east-1\.console\.aws\.amazon\.com\/cloudwatch\/home\?region=us-east-1#logsV2:logs-insights\$3FqueryDetail\$3D[\w.*$-]+$/,
        );
        expect(decodedLink(link)).toMatch(
          /^~\(end~0~start~-21600~.*~editorString~'filter .*~source~\(~'selfsame-/,
        );
      }
    }
  });

  test('have the entries of the runbook, each with its meaning, its steps and its end', () => {
    for (const { AlarmName, AlarmDescription } of alarms) {
      const name = AlarmName.replace(`selfsame-${stageName}-`, '');
      expect(AlarmDescription).toMatch(
        new RegExp(
          `\nRunbook: \\.github/runbook\\.md#${name.toLowerCase()}\nDashboard: https://.+/selfsame-${stageName}$`,
        ),
      );
      const entry = runbook.split(`### \`${name}\``)[1]?.split('\n### ')[0] ?? '';
      expect([name, ...(entry.match(/^- (Means|Look|Do|Fixed):/gm) ?? [])]).toEqual([
        name,
        '- Means:',
        '- Look:',
        '- Do:',
        '- Fixed:',
      ]);
    }
  });

  test('are silent on the first day, before anything has run', () => {
    for (const { AlarmName, TreatMissingData, AlarmActions, InsufficientDataActions } of alarms) {
      const isForSilence = AlarmName.endsWith('Stopped');
      // A new alarm has insufficient data, and an action needs a change of state.
      expect(TreatMissingData).toBe(isForSilence ? 'missing' : 'notBreaching');
      expect(InsufficientDataActions).toEqual(isForSilence ? AlarmActions : []);
    }
  });

  test('may publish to their topics', () => {
    expect(may('cloudwatch.amazonaws.com')).toEqual([true, true]);
  });

  test('may not publish without TLS', () => {
    expect(may('cloudwatch.amazonaws.com', { 'aws:SecureTransport': 'false' })).toEqual([false, false]);
  });

  test.each([
    ['another account', { 'aws:SourceAccount': '999999999999' }],
    ['an alarm of another account', { 'aws:SourceArn': `arn:aws:cloudwatch:${REGION}:999999999999:alarm:a` }],
    ['an alarm of another region', { 'aws:SourceArn': `arn:aws:cloudwatch:eu-west-1:${ACCOUNT}:alarm:a` }],
    ['something else than an alarm', { 'aws:SourceArn': `arn:aws:events:${REGION}:${ACCOUNT}:rule/a` }],
  ])('share their topic with nothing that CloudWatch does for %s', (_, changed) => {
    expect(may('cloudwatch.amazonaws.com', changed)).toEqual([false, false]);
  });

  test('share their topic with no other service', () => {
    expect(may('events.amazonaws.com')).toEqual([false, false]);
  });
});

test('the runbook has no entry without an alarm', () => {
  const names = resolved(synthesized.production)
    .of('AWS::CloudWatch::Alarm')
    .map(({ properties }) => Alarm.parse(properties).AlarmName.replace('selfsame-production-', ''));
  expect(new Set(runbookEntries)).toEqual(new Set(names));
});

/** The query that the console reads from a link to Logs Insights. */
const decodedLink = (link: string): string =>
  decodeURIComponent(
    decodeURIComponent((link.split('logs-insights')[1] ?? '').replaceAll('$', '%'))
      .replace('?queryDetail=', '')
      .replaceAll('*', '%'),
  );

test('urgent alarms reach the pager and the mailbox, the others the mailbox alone', () => {
  const stack = new Stack(new App(), 'stack');
  const page = 'https://events.pager.example/integration/key';
  const alarms = new Alarms(stack, 'Alarms', { email: 'alarms@selfsame.example', pageUrl: page });
  const metric = new Metric({ namespace: 'namespace', metricName: 'Failures' });
  alarms.add('SiteDown', { severity: 'page', metric });
  alarms.add('MailQuota', { severity: 'mail', metric });
  const subscriptions = resolved(stack)
    .of('AWS::SNS::Subscription')
    .map(({ properties }) => Subscription.parse(properties));
  expect(
    subscriptions
      .map(({ TopicArn, Protocol }) => `${/Page|Mail/.exec(TopicArn)?.[0]} ${Protocol}`)
      .toSorted(),
  ).toEqual(['Mail email', 'Page email', 'Page https']);
});

describe('a deployment of production', () => {
  test('is rolled back by alarms that exist, and fire while CloudFormation watches', () => {
    const watched = resolved(synthesized.production)
      .of('AWS::CloudWatch::Alarm')
      .map(({ properties }) => Timed.parse(properties))
      .filter(({ AlarmName }) => rollbackAlarms.includes(AlarmName.replace('selfsame-production-', '')));
    // CloudFormation's maximum.
    expect(watched).toHaveLength(5);
    for (const { DatapointsToAlarm, Period, Metrics } of watched) {
      const seconds = Period ?? Math.max(...Metrics.flatMap(({ MetricStat: stat }) => stat?.Period ?? []));
      expect(DatapointsToAlarm * seconds).toBeLessThanOrEqual((WATCHED_MINUTES - 5) * 60);
    }
  });

  const warningsOf = (stack: Stack): string[] =>
    Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => JSON.stringify(entry.data));

  test('stops at a warning', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['deploy:production']).toMatch(/ infra\/operate\/deploy\/deploy\.ts production --strict$/);
  });

  test('is warned of nothing, since a missing setting is an error', () => {
    expect(warningsOf(synthesized.production)).toEqual([]);
  });
});
