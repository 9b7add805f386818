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

  test('counts refused webhooks, which are no errors of a function', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.route = "*/stripe/webhook") && ($.status >= 400) }',
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
