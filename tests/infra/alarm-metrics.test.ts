import { runInNewContext } from 'node:vm';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { metrics } from '../../schemas/config/metrics.ts';
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
        ...metrics.map((name) => `${namespace} ${name}()`),
      ]);
      const read = metricsOf(alarm).map(metricText);
      expect(read.filter((text) => !known.has(text))).toEqual([]);
    },
  );

  test('are counted by filters of which each is read by an alarm or subtracted in one', () => {
    const read = new Set(alarms.flatMap((alarm) => metricsOf(alarm).map(metricText)));
    expect(filters.filter(({ metric }) => !read.has(metric))).toEqual([]);
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
  /** `periods`: five minutes each, as `errors of requests`. */
  const fires = (periods: string): boolean =>
    [...periods.matchAll(/(\d+) of (\d+)/g)]
      .slice(-EvaluationPeriods)
      .filter(([, errors, requests]) => valueOf(Number(requests), Number(errors)) >= Threshold).length >=
    DatapointsToAlarm;

  test.each([
    ['fires', 'everything fails for the few who come', '1 of 1, 0 of 0, 2 of 2, 0 of 0, 1 of 1, 0 of 0'],
    ['fires', 'a tenth fails for a quarter of an hour', '50 of 500, 50 of 500, 50 of 500'],
    ['is silent', 'one user meets an error and tries again', '2 of 3, 0 of 1, 0 of 0'],
    ['is silent', 'five of a thousand fail in five minutes', '5 of 1000, 0 of 1000, 0 of 1000'],
    ['is silent', 'one in a hundred fails all the time', '5 of 500, '.repeat(6)],
    ['is silent', 'nobody comes', '0 of 0, 0 of 0, 0 of 0'],
  ])('%s when %s', (state, _, periods) => {
    expect(fires(periods)).toBe(state === 'fires');
  });
});
