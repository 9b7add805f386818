import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import { LOG_EVENT_FIELD, type LogEvent, type LogEvents } from '../../../schemas/config/log-events.ts';
import type { MetricName } from '../../../schemas/config/metrics.ts';
import { PROMPT } from './alarms.ts';

/** Matches the log lines of an event. */
const eventPattern = (event: LogEvent): JsonPattern => FilterPattern.stringValue(LOG_EVENT_FIELD, '=', event);

const unfinishedField = '$.message.unfinished' satisfies `$.message.${keyof LogEvents['sweep-finished']}`;
const statusField = '$.message.status' satisfies `$.message.${keyof LogEvents['github-step-failed']}`;

/** Matches the log lines of runs that ended with work left to do. */
const unfinishedPattern = FilterPattern.all(
  eventPattern('sweep-finished'),
  FilterPattern.booleanValue(unfinishedField, true),
);

/** Matches GitHub's refusals of our client: the client secret is wrong or has expired. */
const githubRefusalPattern = FilterPattern.all(
  eventPattern('github-step-failed'),
  FilterPattern.stringValue(statusField, '=', 'incorrect_client_credentials'),
);

/** The log lines that metric filters count, by the metric's name. */
const patterns = {
  AppTokensReused: eventPattern('app-token-reused'),
  FailedRefunds: eventPattern('refund-failed'),
  BillingStuck: eventPattern('billing-stuck'),
  IdleLimitReached: eventPattern('idle-limit-reached'),
  StripeKeyRefused: eventPattern('stripe-key-refused'),
  StripeRefusals: eventPattern('stripe-refused'),
  PlanContradictions: eventPattern('plan-contradiction'),
  GitHubSecretRefused: githubRefusalPattern,
  UnfinishedRuns: unfinishedPattern,
  UnfinishedDailyRuns: unfinishedPattern,
  UnsentMail: eventPattern('mail-not-sent'),
  SuppressionNotRead: eventPattern('suppression-not-read'),
  RefusedMessages: eventPattern('code-refused'),
  RefusedConfirmations: eventPattern('confirmation-refused'),
  RefusedSignUps: eventPattern('sign-up-refused'),
  RefusedTokens: eventPattern('tokens-refused'),
} satisfies Record<string, IFilterPattern>;

type CountedLines = keyof typeof patterns;

/** Counts lines in a function's log. Several functions may share a metric. */
export function countLines({ logGroup }: Function, metricName: CountedLines, metricNamespace: string): void {
  logGroup.addMetricFilter(metricName, {
    filterPattern: patterns[metricName],
    metricNamespace,
    metricName,
  });
}

/** The number of lines counted in a period. */
export const linesCounted = (
  metricName: CountedLines,
  namespace: string,
  period: Duration = PROMPT,
): IMetric => new Metric({ namespace, metricName, period, statistic: 'sum' });

/** A metric that functions write with `metric` from `functions/runtime/metric.ts`. */
export const ownMetric = (
  metricName: MetricName,
  namespace: string,
  { period = PROMPT, statistic = 'sum' }: { period?: Duration; statistic?: 'sum' | 'max' } = {},
): Metric => new Metric({ namespace, metricName, period, statistic });

/**
 * A Cognito trigger's errors without its refusals. A trigger refuses by throwing, so Lambda counts refusals
 * as errors. Any caller can cause many refusals, so no threshold could tell them from an outage.
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

/** The period in which CloudWatch adds up rare events. */
export const DAY = Duration.days(1);
