import { afterEach, describe, expect, test, vi } from 'vitest';
import { metric } from '../../../../functions/runtime/metric.ts';
import { METRIC_NAMESPACE, metrics } from '../../../../schemas/config/metrics.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const written = (...parameters: Parameters<typeof metric>): string => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  metric(...parameters);
  const [text = ''] = write.mock.lastCall ?? [];
  write.mockRestore();
  return String(text);
};

const inRange = (text: unknown, most: number) =>
  typeof text === 'string' && text.length > 0 && text.length <= most;

/**
 * Violations of AWS's JSON schema of the embedded metric format:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function findings(document: Record<string, unknown>): string[] {
  const found: string[] = [];
  const check = (ok: boolean, finding: string) => void (ok || found.push(finding));
  const { Timestamp, CloudWatchMetrics } = document['_aws'] as Record<string, unknown>;
  check(Number.isInteger(Timestamp), 'Timestamp');
  for (const directive of CloudWatchMetrics as Record<string, unknown>[]) {
    const { Namespace, Dimensions, Metrics } = directive as {
      Namespace: unknown;
      Dimensions: unknown[][];
      Metrics: { Name: string; Unit: string }[];
    };
    check(inRange(Namespace, 1024), 'Namespace');
    check(Dimensions.length >= 1, 'Dimensions');
    check(
      Dimensions.every((set) => set.length <= 30 && set.every((name) => inRange(name, 250))),
      'DimensionSet',
    );
    for (const { Name, Unit } of Metrics) {
      check(inRange(Name, 1024), 'Name');
      check(/^(Seconds|Milliseconds|Count|Percent|None)$/.test(Unit), 'Unit');
      // "The root node MUST contain all target members".
      check(typeof document[Name] === 'number', 'target member');
    }
  }
  return found;
}

describe('a metric', () => {
  test.each(metrics)('%s is a line that AWS’s specification accepts', (name) => {
    vi.stubEnv(METRIC_NAMESPACE, 'selfsame-staging');
    const line = written(name, 3, new Date('2026-01-20T12:00:00Z'));
    // CloudWatch reads a line as a whole: nothing may come before or after the object.
    expect(line).toMatch(/^\{"_aws":.*\}\n$/);
    const document = JSON.parse(line) as Record<string, unknown>;
    expect(findings(document)).toEqual([]);
    expect(document).toMatchObject({
      _aws: { Timestamp: 1_768_910_400_000, CloudWatchMetrics: [{ Namespace: 'selfsame-staging' }] },
      [name]: 3,
    });
  });

  test('counts one, now, if nothing else is said', () => {
    vi.stubEnv(METRIC_NAMESPACE, 'selfsame-staging');
    const before = Date.now();
    const document = JSON.parse(written('SignUps')) as { _aws: { Timestamp: number }; SignUps: number };
    expect(document.SignUps).toBe(1);
    expect(document['_aws'].Timestamp).toBeGreaterThanOrEqual(before);
  });

  test('is not written where no namespace is set', () => {
    vi.stubEnv(METRIC_NAMESPACE, undefined);
    expect(written('SignUps')).toBe('');
  });
});
