import { METRIC_NAMESPACE, type MetricName } from '../../schemas/config/metrics.ts';

/**
 * Adds a value to a metric in CloudWatch, in the embedded metric format. Not through `console`: the format
 * has to be at the root of a line, where Lambda's JSON logging puts `message`. `at`: at most two weeks ago.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metric(name: MetricName, value = 1, at: Date = new Date()): void {
  const namespace = process.env[METRIC_NAMESPACE];
  if (namespace === undefined) return;
  const Unit = name === 'CatchUpLag' ? 'Seconds' : 'Count';
  const line = {
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[]], Metrics: [{ Name: name, Unit }] }],
    },
    [name]: value,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
