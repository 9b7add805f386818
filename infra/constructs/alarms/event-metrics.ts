import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { MetricName } from '../../../schemas/config/metrics.ts';
import { PROMPT } from './alarms.ts';

/** A metric that functions write with `functions/runtime/metric.ts`, or by logging a counted event. */
export const ownMetric = (
  metricName: MetricName,
  namespace: string,
  { period = PROMPT, statistic = 'sum' }: { period?: Duration; statistic?: 'sum' | 'max' } = {},
): Metric => new Metric({ namespace, metricName, period, statistic });

/**
 * A Cognito trigger's errors without its refusals. A trigger refuses by throwing, so Lambda counts refusals
 * as errors. Any caller can cause many refusals, so no threshold could tell them from an outage.
 */
export const errorsWithoutRefusals = (
  trigger: Function,
  metricName: MetricName,
  namespace: string,
): IMetric =>
  new MathExpression({
    expression: 'errors - FILL(refusals, 0)',
    usingMetrics: {
      errors: trigger.metricErrors({ period: PROMPT }),
      refusals: ownMetric(metricName, namespace),
    },
    period: PROMPT,
  });

/** The period in which CloudWatch adds up rare events. */
export const DAY = Duration.days(1);
