import { readFileSync } from 'node:fs';
import { Annotations, Match, Template as Assertions } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Alarms } from '../../infra/constructs/alarms/alarms.ts';
import { rollbackAlarms, WATCHED_MINUTES } from '../../infra/operate/deploy/deploy.ts';
import { readTemplate } from '../../infra/local/start-world.ts';
import type { Template } from '../../infra/local/stack/template.ts';
import { stageNames, syntheses } from '../fixtures/aws/stack.ts';

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

// The local world's.
const ACCOUNT = '123456789012';
const REGION = 'us-east-1';

/** A template, as the local world resolves it. */
const resolved = (template: Assertions, stackName: string): Template =>
  readTemplate(template.toJSON(), stackName);

const { staging, production } = syntheses();
const stacks = {
  staging: resolved(staging.template, 'selfsame-staging'),
  production: resolved(production.template, 'selfsame-production'),
};

describe.each(stageNames)('the alarms of %s', (stageName) => {
  const stack = stacks[stageName];
  const alarms = stack.of('AWS::CloudWatch::Alarm').map(({ properties }) => Alarm.parse(properties));
  const topics = [...new Set(alarms.flatMap(({ AlarmActions }) => AlarmActions))];

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

  test('may publish to their topics over TLS, and no other service or account may', () => {
    const policies = stack.of('AWS::SNS::TopicPolicy').map(({ properties }) => properties);
    expect(policies.map(({ Topics }) => Topics)).toEqual(topics.map((topic) => [topic]));
    for (const { PolicyDocument, Topics } of policies) {
      const [topic] = Topics as string[];
      expect((PolicyDocument as { Statement: object[] }).Statement).toEqual([
        expect.objectContaining({
          Effect: 'Deny',
          Principal: '*',
          Action: 'sns:Publish',
          Resource: topic,
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
        // A policy of one's own replaces SNS's default, which lets the account's alarms publish.
        {
          Sid: 'AllowCloudWatchAlarms',
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: topic,
          Condition: {
            StringEquals: { 'aws:SourceAccount': ACCOUNT },
            ArnLike: { 'aws:SourceArn': `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:*` },
          },
        },
      ]);
    }
  });
});

test('the runbook has no entry without an alarm', () => {
  const names = stacks.production
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
  const subscriptions = resolved(Assertions.fromStack(stack), 'stack')
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
    const watched = stacks.production
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

  test('stops at a warning', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['deploy:production']).toMatch(/ infra\/operate\/deploy\/deploy\.ts production --strict$/);
  });

  test('is warned of nothing, since a missing setting is an error', () => {
    expect(Annotations.fromStack(production.stack).findWarning('*', Match.anyValue())).toEqual([]);
  });
});
