import { METRIC_NAMESPACE, type MetricName, metrics } from '../../schemas/metrics.ts';

/**
 * Adds a value to a metric in CloudWatch, in the embedded metric format. It goes to the standard output, not
 * through `console`: CloudWatch demands the format at the root of a line, and Lambda's JSON logging would put
 * it under `message`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * `at` is at most two weeks ago. Without the namespace's variable, nothing is written.
 */
export function metric(name: MetricName, value = 1, at: Date = new Date()): void {
  const namespace = process.env[METRIC_NAMESPACE];
  if (namespace === undefined) return;
  const line = {
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: [
        { Namespace: namespace, Dimensions: [[]], Metrics: [{ Name: name, Unit: metrics[name] }] },
      ],
    },
    [name]: value,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
