import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import { LOG_EVENT_FIELD, type LogEvent, type LogEvents } from '../../schemas/log-events.ts';
import type { MetricName } from '../../schemas/metrics.ts';
import { PROMPT } from './alarms.ts';

/** Matches the log lines of an event. */
const eventPattern = (event: LogEvent): JsonPattern => FilterPattern.stringValue(LOG_EVENT_FIELD, '=', event);

const unfinishedField = '$.message.unfinished' satisfies `$.message.${keyof LogEvents['sweep-finished']}`;
const statusField = '$.message.status' satisfies `$.message.${keyof LogEvents['github-step-failed']}`;

/** Matches the log lines of runs that ended before they were done. */
const unfinishedPattern = FilterPattern.all(
  eventPattern('sweep-finished'),
  FilterPattern.booleanValue(unfinishedField, true),
);

/** Matches GitHub's refusals of our client: its secret is wrong or has expired. */
const githubRefusalPattern = FilterPattern.all(
  eventPattern('github-step-failed'),
  FilterPattern.stringValue(statusField, '=', 'incorrect_client_credentials'),
);

/** What metric filters count in the functions' logs, by the metric's name. */
const patterns = {
  FailedRefunds: eventPattern('refund-failed'),
  BillingStuck: eventPattern('billing-stuck'),
  IdleLimitReached: eventPattern('idle-limit-reached'),
  StripeKeyRefused: eventPattern('stripe-key-refused'),
  GitHubSecretRefused: githubRefusalPattern,
  UnfinishedRuns: unfinishedPattern,
  UnfinishedDailyRuns: unfinishedPattern,
  UnsentMail: eventPattern('mail-not-sent'),
  SuppressionNotRead: eventPattern('suppression-not-read'),
  RefusedMessages: eventPattern('code-refused'),
  RefusedConfirmations: eventPattern('confirmation-refused'),
  RefusedSignUps: eventPattern('sign-up-refused'),
} satisfies Record<string, IFilterPattern>;

type CountedLines = keyof typeof patterns;

/** Counts lines in a function's log. Several functions may count in one metric. */
export function countLines({ logGroup }: Function, metricName: CountedLines, metricNamespace: string): void {
  logGroup.addMetricFilter(metricName, {
    filterPattern: patterns[metricName],
    metricNamespace,
    metricName,
  });
}

/** How many lines were counted within a period. */
export const linesCounted = (
  metricName: CountedLines,
  namespace: string,
  period: Duration = PROMPT,
): IMetric => new Metric({ namespace, metricName, period, statistic: 'sum' });

/** A metric that functions write with `metric` of `functions/runtime/metric.ts`. */
export const ownMetric = (
  metricName: MetricName,
  namespace: string,
  { period = PROMPT, statistic = 'sum' }: { period?: Duration; statistic?: 'sum' | 'max' } = {},
): Metric => new Metric({ namespace, metricName, period, statistic });

/**
 * The errors of a Cognito trigger without its refusals. A trigger refuses by throwing, so Lambda counts a
 * refusal as an error, and any caller can cause many: no threshold would tell them from an outage.
 */
export function errorsWithoutRefusals(
  trigger: Function,
  metricName: CountedLines,
  metricNamespace: string,
): IMetric {
  countLines(trigger, metricName, metricNamespace);
  return new MathExpression({
    expression: 'errors - FILL(refusals, 0)',
    usingMetrics: {
      errors: trigger.metricErrors({ period: PROMPT }),
      refusals: linesCounted(metricName, metricNamespace),
    },
    period: PROMPT,
  });
}

/** A day, of which CloudWatch adds up what is rare. */
export const DAY = Duration.days(1);
