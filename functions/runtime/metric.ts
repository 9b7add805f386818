import { METRIC_NAMESPACE, type MetricName, unitOf } from '../../schemas/config/metrics.ts';

/**
 * Adds a value to a metric in CloudWatch, in the embedded metric format. Written to standard output, not
 * through `console`: CloudWatch requires the format at the root of a line, and Lambda's JSON logging would
 * put it under `message`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * `at`: at most two weeks ago. Writes nothing if the namespace's variable is missing.
 */
export function metric(name: MetricName, value = 1, at: Date = new Date()): void {
  const namespace = process.env[METRIC_NAMESPACE];
  if (namespace === undefined) return;
  const line = {
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: [
        { Namespace: namespace, Dimensions: [[]], Metrics: [{ Name: name, Unit: unitOf(name) }] },
      ],
    },
    [name]: value,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
