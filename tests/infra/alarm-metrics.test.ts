import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { api } from '../../schemas/api.ts';
import { LOG_EVENT_FIELD, type LogEvent } from '../../schemas/log-events.ts';
import { stageNames, templatesOf } from '../fixtures/stack.ts';
import { resources } from '../fixtures/template.ts';

const templates = templatesOf();
const runbookEntries = [...readFileSync('.github/runbook.md', 'utf8').matchAll(/^### `(\S+)`$/gm)].map(
  ([, name]) => name,
);

/** Alarms that count a trigger's errors without its refusals. */
const withoutRefusals = [
  { alarm: 'Mail', trigger: 'CustomMessage', metric: 'RefusedMessages', event: 'code-refused' },
  { alarm: 'AccountLinking', trigger: 'PreSignUp', metric: 'RefusedSignUps', event: 'sign-up-refused' },
] as const satisfies { alarm: string; trigger: string; metric: string; event: LogEvent }[];

describe.each(stageNames)('the alarms of %s', (stageName) => {
  const template = templates[stageName];

  test('say what users lose, where to look, and which entry of the runbook belongs to them', () => {
    const alarms = resources(template, 'AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(Object.keys(api).length);
    for (const [, { Properties }] of alarms) {
      const description = String(Properties['AlarmDescription']);
      expect(description).toMatch(/\w+.*\. See .*\. Runbook: /);
      expect(runbookEntries).toContain(/Runbook: \.github\/runbook\.md, (\S+)\.$/.exec(description)?.[1]);
    }
  });

  const alarmOf = (name: string) =>
    resources(template, 'AWS::CloudWatch::Alarm').find(([id]) =>
      new RegExp(`^Alarms${name}[0-9A-F]{8}$`).test(id),
    )?.[1].Properties;

  test('count webhooks that fail, which are no errors of a function, from the first one', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.route = "*/stripe/webhook") && ($.status >= 500) }',
      MetricTransformations: [Match.objectLike({ MetricName: 'FailedWebhooks' })],
    });
    expect(alarmOf('FailedWebhooks')).toMatchObject({
      MetricName: 'FailedWebhooks',
      Threshold: 1,
      Period: 300,
      EvaluationPeriods: 1,
      DatapointsToAlarm: 1,
    });
  });

  test('count what is stuck at Stripe, from the first one', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: `{ ${LOG_EVENT_FIELD} = "billing-stuck" }`,
      LogGroupName: { Ref: Match.stringLikeRegexp('^SchedulesBillingTasksLogs') },
      MetricTransformations: [
        { MetricName: 'BillingStuck', MetricNamespace: `selfsame-${stageName}`, MetricValue: '1' },
      ],
    });
    expect(alarmOf('BillingStuck')).toMatchObject({ MetricName: 'BillingStuck', Threshold: 1 });
  });

  test('count runs that reach their limit of idle accounts, from the first one', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: `{ ${LOG_EVENT_FIELD} = "idle-limit-reached" }`,
      LogGroupName: { Ref: Match.stringLikeRegexp('^SchedulesIdleAccountsLogs') },
    });
    expect(alarmOf('IdleLimitReached')).toMatchObject({ MetricName: 'IdleLimitReached', Threshold: 1 });
  });

  test('notice a daily schedule that has not run for two days', () => {
    expect(alarmOf('IdleAccountsStopped')).toMatchObject({
      MetricName: 'Invocations',
      Period: 86_400,
      EvaluationPeriods: 2,
      DatapointsToAlarm: 2,
      TreatMissingData: 'breaching',
    });
  });

  test.each(['ApiStripeWebhookLogs', 'SchedulesEventCatchUpLogs'])(
    'count failed refunds in %s, from the first one',
    (logs) => {
      template.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: `{ ${LOG_EVENT_FIELD} = "refund-failed" }`,
        LogGroupName: { Ref: Match.stringLikeRegexp(`^${logs}`) },
        MetricTransformations: [
          { MetricName: 'FailedRefunds', MetricNamespace: `selfsame-${stageName}`, MetricValue: '1' },
        ],
      });
      expect(alarmOf('FailedRefunds')).toMatchObject({ MetricName: 'FailedRefunds', Threshold: 1 });
    },
  );

  describe('for refused webhooks', () => {
    /** Whether the alarm fires for these counts, one for each hour, the last one for this hour. */
    const fires = (hours: readonly number[]): boolean => {
      const alarm = alarmOf('RefusedWebhooks') ?? {};
      expect(alarm).toMatchObject({
        MetricName: 'RefusedWebhooks',
        Statistic: 'Sum',
        Period: 3_600,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      });
      const reached = hours
        .slice(-Number(alarm['EvaluationPeriods']))
        .filter((count) => count >= Number(alarm['Threshold']));
      return reached.length >= Number(alarm['DatapointsToAlarm']);
    };

    test('count answers with a status of 4xx', () => {
      template.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: '{ ($.route = "*/stripe/webhook") && ($.status >= 400) && ($.status < 500) }',
        MetricTransformations: [Match.objectLike({ MetricName: 'RefusedWebhooks' })],
      });
    });

    test.each([
      ['a curl', [1]],
      ['a curl now and then', [1, 0, 2, 1, 0, 1, 2, 1, 1, 0, 1, 1]],
      ['thousands of requests within an hour', [0, 60_000]],
      ['thousands of requests over the turn of an hour', [40_000, 20_000]],
    ])('do not fire at %s', (_, hours) => {
      expect(fires(hours)).toBe(false);
    });

    test.each([
      // With retries after 5 and 30 minutes, 2, 5 and 10 hours.
      ['one purchase whose three events are sent again and again', [9, 0, 3, 0, 0, 0, 0, 3]],
      ['a purchase each hour', [3, 3, 3]],
    ])('fire at a wrong secret, with %s', (_, hours) => {
      expect(fires(hours)).toBe(true);
    });
  });

  test.each(withoutRefusals)(
    'count errors of the trigger $trigger without its refusals in $alarm',
    ({ alarm, trigger, metric, event }) => {
      const [[, resource] = []] = resources(template, 'AWS::CloudWatch::Alarm').filter(([id]) =>
        id.startsWith(`Alarms${alarm}`),
      );
      const refusals = { MetricName: metric, Namespace: `selfsame-${stageName}` };
      expect(resource?.Properties).toMatchObject({
        Threshold: 1,
        Metrics: expect.arrayContaining([
          expect.objectContaining({ Expression: 'errors - FILL(refusals, 0)' }),
          expect.objectContaining({
            Id: 'errors',
            MetricStat: expect.objectContaining({
              Metric: expect.objectContaining({ Namespace: 'AWS/Lambda', MetricName: 'Errors' }),
            }),
          }),
          expect.objectContaining({
            Id: 'refusals',
            MetricStat: expect.objectContaining({ Metric: refusals, Stat: 'Sum' }),
          }),
        ]),
      });
      template.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: `{ ${LOG_EVENT_FIELD} = "${event}" }`,
        LogGroupName: { Ref: Match.stringLikeRegexp(`^Triggers${trigger}Logs`) },
        MetricTransformations: [
          { MetricName: refusals.MetricName, MetricNamespace: refusals.Namespace, MetricValue: '1' },
        ],
      });
    },
  );
});
