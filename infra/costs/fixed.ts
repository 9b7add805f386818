import { metrics } from '../../schemas/metrics.ts';
import type { Snapshot } from '../changes/snapshot.ts';
import type { Fixed } from './monthly.ts';

/** The secrets with vendors' keys, which are no resources of the stack: `infra/secret-names.ts`. */
const VENDOR_SECRETS = 3;

interface MetricFilter {
  MetricTransformations: { MetricName: string }[];
}
interface Alarm {
  Metrics?: { MetricStat?: object }[];
}
interface WebAcl {
  Rules?: object[];
}

/** Counts what a stage pays by the month, in its template and in the metrics that functions write. Pure. */
export function fixedOf({ Resources }: Snapshot): Fixed {
  const of = <P>(type: string): P[] =>
    Object.values(Resources)
      .filter(({ Type }) => Type === type)
      .map(({ Properties }) => Properties as P);
  const filtered = of<MetricFilter>('AWS::Logs::MetricFilter').flatMap(({ MetricTransformations }) =>
    MetricTransformations.map(({ MetricName }) => MetricName),
  );
  const webAcls = of<WebAcl>('AWS::WAFv2::WebACL');
  const alarmMetrics = of<Alarm>('AWS::CloudWatch::Alarm').map(
    // An alarm of a single metric names it in its own properties.
    ({ Metrics = [] }) => Math.max(1, Metrics.filter(({ MetricStat }) => MetricStat).length),
  );
  return {
    webAcls: webAcls.length,
    webAclRules: webAcls.reduce((sum, { Rules = [] }) => sum + Rules.length, 0),
    alarmMetrics: alarmMetrics.reduce((sum, count) => sum + count, 0),
    customMetrics: new Set([...filtered, ...Object.keys(metrics)]).size,
    keys: of('AWS::KMS::Key').length,
    secrets: of('AWS::SecretsManager::Secret').length + VENDOR_SECRETS,
  };
}

const HOURS_OF_A_MONTH = 730;

/** How often the schedules of a stage run in a month. Throws for an expression of another kind. Pure. */
export function runsOf({ Resources }: Snapshot): number {
  return Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Scheduler::Schedule')
    .map(({ Properties }) => runsIn(String(Properties?.['ScheduleExpression'])))
    .reduce((sum, runs) => sum + runs, 0);
}

function runsIn(expression: string): number {
  if (/^cron\(\d+ \* \* \* \? \*\)$/.test(expression)) return HOURS_OF_A_MONTH;
  if (/^cron\(\d+ \d+ \* \* \? \*\)$/.test(expression)) return Math.round(HOURS_OF_A_MONTH / 24);
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(expression) ?? [];
  if (minutes !== undefined) return (HOURS_OF_A_MONTH * 60) / Number(minutes);
  throw new Error(`How often does ${expression} run? infra/costs/fixed.ts has to know.`);
}
