import { runInNewContext } from 'node:vm';
import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOG_EVENT_FIELD } from '../../schemas/config/log-events.ts';
import { metrics } from '../../schemas/config/metrics.ts';
import { alarmLines } from '../fixtures/aws/alarm-lines.ts';
import { documentedMetrics, metricsOf, metricText } from '../fixtures/aws/aws-metrics.ts';
import { matchesPattern } from '../fixtures/aws/filter-pattern.ts';
import { stageNames, templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const templates = templatesOf();

interface Filter {
  pattern: string;
  metric: string;
  logGroup: string;
}

const filtersOf = (template: Template): Filter[] =>
  resources(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => {
    const { FilterPattern, LogGroupName, MetricTransformations } = Properties as {
      FilterPattern: string;
      LogGroupName: { Ref: string };
      MetricTransformations: [{ MetricNamespace: string; MetricName: string; MetricValue: string }];
    };
    const [{ MetricNamespace, MetricName, MetricValue }] = MetricTransformations;
    expect(MetricValue).toBe('1');
    return {
      pattern: FilterPattern,
      metric: `${MetricNamespace} ${MetricName}()`,
      logGroup: LogGroupName.Ref,
    };
  });

/** A line of the API's access log. */
function accessLogLine(template: Template, values: Record<string, string>): unknown {
  const [[, stage] = []] = resources(template, 'AWS::ApiGatewayV2::Stage');
  const { Format } = (stage?.Properties['AccessLogSettings'] ?? {}) as { Format: string };
  // API Gateway writes a hyphen for what it doesn't know.
  return JSON.parse(Format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-'));
}

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe.each(stageNames)('the metrics that the alarms of %s read', (stageName) => {
  const template = templates[stageName];
  const filters = filtersOf(template);
  const namespace = `selfsame-${stageName}`;
  const alarms = resources(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);

  test.each(alarms.map((alarm) => [String(alarm['AlarmName']), alarm] as const))(
    'exist for %s',
    (_, alarm) => {
      const known = new Set([
        ...documentedMetrics,
        ...filters.map(({ metric }) => metric),
        ...Object.keys(metrics).map((name) => `${namespace} ${name}()`),
      ]);
      const read = metricsOf(alarm).map(metricText);
      expect(read.filter((text) => !known.has(text))).toEqual([]);
    },
  );

  test('are counted by filters of which each is read by an alarm or subtracted in one', () => {
    const read = new Set(alarms.flatMap((alarm) => metricsOf(alarm).map(metricText)));
    expect(filters.filter(({ metric }) => !read.has(metric))).toEqual([]);
  });

  describe('from log lines', () => {
    let lines: Awaited<ReturnType<typeof alarmLines>>;
    beforeAll(async () => {
      lines = await alarmLines();
    });

    test('match a line that a handler writes, and no line of another event', () => {
      const patterns = new Map(
        filters
          .filter(({ pattern }) => pattern.includes(LOG_EVENT_FIELD))
          .map((it) => [it.metric, it.pattern]),
      );
      const counted = Object.fromEntries(
        [...patterns].map(([metric, pattern]) => [
          metric.replace(`${namespace} `, '').replace('()', ''),
          lines.filter(({ line }) => matchesPattern(pattern, line)).map(({ name }) => name),
        ]),
      );
      expect(counted).toEqual({
        AppTokensReused: ['a refresh token of an app that comes again'],
        FailedRefunds: ['a failed refund'],
        BillingStuck: ['a task that Stripe refuses for a day'],
        IdleLimitReached: ['a hundred deletions'],
        StripeKeyRefused: ['a refused key'],
        StripeRefusals: ['a change that Stripe refuses'],
        PlanContradictions: ['a second subscription that runs on'],
        GitHubSecretRefused: ['a refused client secret at GitHub'],
        UnfinishedRuns: ['a sweep out of time'],
        UnfinishedDailyRuns: ['a sweep out of time'],
        UnsentMail: ['a mail that SES refuses'],
        SuppressionNotRead: ['an address that SES does not tell about'],
        RefusedMessages: ['a refused code'],
        RefusedConfirmations: ['a refused confirmation'],
        RefusedSignUps: ['a refused sign-up'],
        RefusedTokens: ['tokens refused to a left cookie'],
      });
    });
  });

  test.each([
    ['a webhook that fails', 'POST /stripe/webhook', '500', '-', ['FailedWebhooks']],
    ['a forged webhook', 'POST /stripe/webhook', '400', '-', []],
    ['a route that fails', 'GET /plan', '500', '-', []],
    ['a throttled request', 'GET /plan', '429', 'Too Many Requests', ['RequestsThrottled']],
    ['a refusal of ours with that status', 'POST /change-password', '429', '-', []],
  ])('from the access log count %s as they should', (_, routeKey, status, message, counted) => {
    const line = accessLogLine(template, { routeKey, status, 'error.message': message });
    const found = filters
      .filter(({ logGroup, pattern }) => logGroup.startsWith('ApiAccessLog') && matchesPattern(pattern, line))
      .map(({ metric }) => metric);
    expect(found).toEqual(counted.map((name) => `${namespace} ${name}()`));
  });

  test('of Stripe and mail are counted in every function that can write the lines', () => {
    const groupsOf = (name: string) =>
      new Set(filters.filter(({ metric }) => metric === `${namespace} ${name}()`).map((it) => it.logGroup));
    const functionsWith = (variable: string) =>
      resources(template, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
        JSON.stringify(Properties['Environment'] ?? {}).includes(`"${variable}"`),
      );
    for (const name of ['StripeKeyRefused', 'StripeRefusals', 'PlanContradictions']) {
      expect(groupsOf(name).size).toBe(functionsWith('STRIPE_SECRET_ID').length);
    }
    expect(groupsOf('UnsentMail').size).toBe(functionsWith('MAIL_FROM').length);
    const mayAsk = resources(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties['PolicyDocument']).includes('ses:GetSuppressedDestination'),
    );
    expect(groupsOf('SuppressionNotRead').size).toBe(mayAsk.length);
  });

  test('of runs that are not done are counted by the day, by the hour, or not at all', () => {
    const groupsOf = (name: string) =>
      filters
        .filter(({ metric }) => metric === `${namespace} ${name}()`)
        .map(({ logGroup }) => /^Schedules(\w+?)Logs/.exec(logGroup)?.[1] ?? logGroup)
        .toSorted((a, b) => a.localeCompare(b));
    expect(groupsOf('UnfinishedDailyRuns')).toEqual(['IdleAccounts', 'UnpaidPlus']);
    // The export of the users has an alarm about its age.
    expect(groupsOf('UnfinishedRuns')).toEqual([
      'BillingTasks',
      'EventCatchUp',
      'ExpirySweep',
      'UnconfirmedSweep',
    ]);
  });
});

describe('the alarm about errors of the API', () => {
  const [alarm] = resources(templates.production, 'AWS::CloudWatch::Alarm')
    .filter(([, { Properties }]) => String(Properties['AlarmName']).endsWith('-ServerErrors'))
    .map(([, { Properties }]) => Properties);
  const { Metrics, Threshold, EvaluationPeriods, DatapointsToAlarm } = alarm as {
    Metrics: { Expression?: string }[];
    Threshold: number;
    EvaluationPeriods: number;
    DatapointsToAlarm: number;
  };
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression ?? '';
  /** Evaluates the expression of metric math for a period. */
  const valueOf = (requests: number, errors: number): number => {
    // Metric math of this form is JavaScript with a function IF.
    const IF = (condition: boolean, yes: number, no: number) => (condition ? yes : no);
    return runInNewContext(expression, { IF, requests, errors }) as number;
  };
  const fires = (periods: [requests: number, errors: number][]): boolean =>
    periods.slice(-EvaluationPeriods).filter(([requests, errors]) => valueOf(requests, errors) >= Threshold)
      .length >= DatapointsToAlarm;

  test.each<[string, [number, number][]]>([
    [
      'everything fails for the few who come',
      [
        [1, 1],
        [0, 0],
        [2, 2],
        [0, 0],
        [1, 1],
        [0, 0],
      ],
    ],
    [
      'a tenth fails for a quarter of an hour',
      [
        [500, 50],
        [500, 50],
        [500, 50],
      ],
    ],
  ])('fires when %s', (_, periods) => {
    expect(fires(periods)).toBe(true);
  });

  test.each<[string, [number, number][]]>([
    [
      'one user meets an error and tries again',
      [
        [3, 2],
        [1, 0],
        [0, 0],
      ],
    ],
    [
      'five of a thousand requests fail in five minutes',
      [
        [1000, 5],
        [1000, 0],
        [1000, 0],
      ],
    ],
    [
      'one in a hundred fails all the time',
      [
        [500, 5],
        [500, 5],
        [500, 5],
        [500, 5],
        [500, 5],
        [500, 5],
      ],
    ],
    [
      'nobody comes',
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
  ])('is silent when %s', (_, periods) => {
    expect(fires(periods)).toBe(false);
  });
});
