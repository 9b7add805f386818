import { readFileSync } from 'node:fs';
import { Annotations, Match, Template as Assertions } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Alarms } from '../../infra/constructs/alarms/alarms.ts';
import { rollbackAlarms } from '../../infra/operate/deploy/deploy.ts';
import { readTemplate } from '../../infra/local/start-world.ts';
import type { Template } from '../../infra/local/stack/template.ts';
import { metrics } from '../../schemas/config/metrics.ts';
import { scheduleIdOf, scheduleNames } from '../../schemas/schedules.ts';
import { documentedMetrics, metricsOf, metricText } from '../fixtures/aws/aws-metrics.ts';
import { isInAlarm, metricMath } from '../fixtures/aws/cloud-watch.ts';
import { matchesPattern } from '../fixtures/aws/filter-pattern.ts';
import { stageNames, syntheses, testedStages } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const Alarm = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.string()),
  OKActions: z._default(z.array(z.string()), []),
  InsufficientDataActions: z._default(z.array(z.string()), []),
  TreatMissingData: z.string(),
});
const Subscription = z.object({ TopicArn: z.string(), Protocol: z.string(), Endpoint: z.string() });

const runbook = readFileSync('.github/runbook.md', 'utf8');
const runbookEntries = [...runbook.matchAll(/^### `(\S+)`$/gm)].map(([, name]) => name);

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

  test('are those of the settings, and few enough to be read', () => {
    const names = alarms.map(({ AlarmName }) => AlarmName.replace(`selfsame-${stageName}-`, ''));
    expect(new Set(names)).toEqual(new Set(testedStages[stageName].alarms ?? names));
    expect(names.length).toBeLessThanOrEqual(26);
  });

  test('name the topic of their severity each', () => {
    for (const { AlarmActions, OKActions, AlarmDescription } of alarms) {
      const isUrgent = AlarmDescription.startsWith('Severity: page. ');
      expect(AlarmActions).toEqual([expect.stringContaining(isUrgent ? 'PageTopic' : 'MailTopic')]);
      // A pager closes the incident by itself.
      expect(OKActions).toEqual(isUrgent ? AlarmActions : []);
    }
  });

  test('say what users lose, and where the log and the runbook are', () => {
    for (const { AlarmDescription } of alarms) {
      expect(AlarmDescription).toMatch(/^Severity: (page|mail)\. [A-Z](?:[^`\].]|\.\d)*\.\n/);
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

  test('have the entries of the runbook, each with its meaning and what to do', () => {
    for (const { AlarmName, AlarmDescription } of alarms) {
      const name = AlarmName.replace(`selfsame-${stageName}-`, '');
      expect(AlarmDescription).toMatch(
        new RegExp(`\n(?:Log|Dashboard): https://.+\nRunbook: \\.github/runbook\\.md#\\w+$`),
      );
      const entry = runbook.split(`### \`${headingOf(AlarmDescription)}\``)[1]?.split(/\n##+ /)[0] ?? '';
      expect([name, ...(entry.match(/^- \w+:/gm) ?? [])]).toEqual([name, '- Means:', '- Do:']);
      expect([name, entry.split(/\s+/).length > 120]).toEqual([name, false]);
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
});

test('the runbook has no entry without an alarm', () => {
  const named = stacks.production
    .of('AWS::CloudWatch::Alarm')
    .map(({ properties }) => headingOf(Alarm.parse(properties).AlarmDescription));
  expect(new Set(runbookEntries)).toEqual(new Set(named));
});

/** The heading in the runbook that an alarm links to. */
const headingOf = (description: string): string | undefined => {
  const [, anchor] = /\nRunbook: \S+#(\w+)$/.exec(description) ?? [];
  return runbookEntries.find((heading) => heading?.toLowerCase() === anchor);
};

/** The query that the console reads from a link to Logs Insights. */
const decodedLink = (link: string): string =>
  decodeURIComponent(
    decodeURIComponent((link.split('logs-insights')[1] ?? '').replaceAll('$', '%'))
      .replace('?queryDetail=', '')
      .replaceAll('*', '%'),
  );

test('urgent alarms reach the pager and the mailbox, the others the mailbox alone', () => {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'stack');
  const page = 'https://events.pager.example/integration/key';
  const alarms = new Alarms(stack, 'Alarms', { alarmEmail: 'alarms@selfsame.example', alarmPageUrl: page });
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
  test('is rolled back by alarms that exist', () => {
    const names = stacks.production
      .of('AWS::CloudWatch::Alarm')
      .map(({ properties }) => Alarm.parse(properties).AlarmName);
    expect(names).toEqual(
      expect.arrayContaining(rollbackAlarms.map((alarm) => `selfsame-production-${alarm}`)),
    );
    // CloudFormation's maximum.
    expect(rollbackAlarms.length).toBeLessThanOrEqual(5);
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

interface Filter {
  pattern: string;
  metric: string;
  logGroup: string;
}

const filtersOf = (template: Assertions): Filter[] =>
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
function accessLogLine(template: Assertions, values: Record<string, string>): unknown {
  const [[, stage] = []] = resources(template, 'AWS::ApiGatewayV2::Stage');
  const { Format } = (stage?.Properties['AccessLogSettings'] ?? {}) as { Format: string };
  // API Gateway writes a hyphen for what it doesn't know.
  return JSON.parse(Format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-'));
}

describe.each(stageNames)('the metrics that the alarms of %s read', (stageName) => {
  const { template } = syntheses()[stageName];
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

  test.each([
    ['a checkout that fails', 'POST /create-checkout-session', '500', ['FailedCheckouts']],
    ['a refused checkout', 'POST /create-checkout-session', '409', []],
    ['a route that fails', 'GET /plan', '500', []],
  ])('from the access log count %s as they should', (_, routeKey, status, counted) => {
    const line = accessLogLine(template, { routeKey, status });
    const found = filters
      .filter(({ logGroup, pattern }) => logGroup.startsWith('ApiAccessLog') && matchesPattern(pattern, line))
      .map(({ metric }) => metric);
    expect(found).toEqual(counted.map((name) => `${namespace} ${name}()`));
  });
});

test('an alarm reads each metric that is counted in the access log', () => {
  const read = resources(production.template, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
    metricsOf(Properties).map(metricText),
  );
  expect(filtersOf(production.template).filter(({ metric }) => !read.includes(metric))).toEqual([]);
});

describe('the alarm of silent schedules', () => {
  const [, found] =
    resources(production.template, 'AWS::CloudWatch::Alarm').find(([, { Properties }]) =>
      String(Properties['AlarmName']).endsWith('-ScheduleStopped'),
    ) ?? [];
  const { Metrics = [] } = (found?.Properties ?? {}) as { Metrics?: SilenceMetric[] };
  const read = Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, ...MetricStat }] : []));

  test('reads the hourly runs of each schedule', () => {
    const functions = read.map((each) => each.Metric.Dimensions[0]?.Value.Ref.slice(0, -8));
    expect(functions).toEqual(scheduleNames.map((name) => `Schedules${scheduleIdOf(name)}`));
    expect(new Set(read.map(({ Period }) => Period))).toEqual(new Set([3_600]));
  });

  test('has no value while one schedule is silent', () => {
    const expression = Metrics.find(({ Expression }) => Expression)?.Expression ?? '';
    const all = Object.fromEntries(read.map(({ Id }) => [Id, 1]));
    expect(metricMath(expression, all)).toBeGreaterThanOrEqual(1);
    for (const { Id } of read) expect(metricMath(expression, { ...all, [Id]: undefined })).toBeUndefined();
  });
});

interface SilenceMetric {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: { Dimensions: { Value: { Ref: string } }[] }; Period: number };
}

describe('the alarm about errors of the API', () => {
  const alarms = resources(production.template, 'AWS::CloudWatch::Alarm');
  const found = alarms.find(([, { Properties }]) =>
    String(Properties['AlarmName']).endsWith('-ServerErrors'),
  );
  const { Metrics, ...properties } = (found?.[1].Properties ?? {}) as unknown as {
    Metrics: { Expression?: string }[];
    Threshold: number;
    EvaluationPeriods: number;
    DatapointsToAlarm: number;
  };
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression ?? '';
  /** `periods`: five minutes each, as `errors of requests`. */
  const fires = (periods: string): boolean => {
    const values = [...periods.matchAll(/(\d+) of (\d+)/g)].map(([, errors, requests]) =>
      metricMath(expression, { errors: Number(errors), requests: Number(requests) }),
    );
    return isInAlarm(properties, values.toReversed());
  };

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
