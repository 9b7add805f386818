import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../../schemas/config/metrics.ts';
import { PROMPT } from './alarms.ts';

/** A metric that functions write with `functions/runtime/metric.ts`, or by logging a counted event. */
export const ownMetric = (
  metricName: MetricName,
  namespace: string,
  { period = PROMPT, statistic = 'sum' }: { period?: Duration; statistic?: 'sum' | 'max' | 'min' } = {},
): Metric => new Metric({ namespace, metricName, period, statistic });

/** The sum of at most ten metrics, the maximum of an alarm. Metrics without data count as zero. */
export const sum = (metrics: readonly IMetric[], less?: IMetric): IMetric =>
  new MathExpression({
    expression: `SUM([${metrics.map((_, index) => `m${index}`).join(', ')}])${less ? ' - FILL(less, 0)' : ''}`,
    usingMetrics: {
      ...Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
      ...(less && { less }),
    },
    period: PROMPT,
  });

/** The period in which CloudWatch adds up rare events. */
export const DAY = Duration.days(1);
