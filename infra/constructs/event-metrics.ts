import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern } from 'aws-cdk-lib/aws-logs';
import { LOG_EVENT_FIELD, type LogEvent } from '../../schemas/log-events.ts';
import { PROMPT } from './alarms.ts';

/** Matches the log lines of an event. */
export const eventPattern = (event: LogEvent): IFilterPattern =>
  FilterPattern.stringValue(LOG_EVENT_FIELD, '=', event);

/** How often a function logs an event in five minutes. */
export const countOf = (
  { logGroup }: Function,
  event: LogEvent,
  { metricName, metricNamespace }: { metricName: string; metricNamespace: string },
): IMetric =>
  logGroup
    .addMetricFilter(metricName, { filterPattern: eventPattern(event), metricNamespace, metricName })
    .metric({ period: PROMPT, statistic: 'sum' });

/** Failed refunds. The webhook and the event catch-up hear of them, and count in one metric. */
export const failedRefunds = (heardBy: Function, metricNamespace: string): IMetric =>
  countOf(heardBy, 'refund-failed', { metricName: 'FailedRefunds', metricNamespace });

/**
 * The errors of a Cognito trigger without its refusals. A trigger refuses by throwing, so Lambda counts a
 * refusal as an error, and any caller can cause many: no threshold would tell them from an outage.
 */
export function errorsWithoutRefusals(
  trigger: Function,
  {
    refusal,
    metricName,
    metricNamespace,
  }: { refusal: LogEvent; metricName: string; metricNamespace: string },
): IMetric {
  const refusals = trigger.logGroup
    .addMetricFilter('Refusals', { filterPattern: eventPattern(refusal), metricNamespace, metricName })
    .metric({ period: PROMPT, statistic: 'sum' });
  return new MathExpression({
    expression: 'errors - FILL(refusals, 0)',
    usingMetrics: { errors: trigger.metricErrors({ period: PROMPT }), refusals },
    period: PROMPT,
  });
}
