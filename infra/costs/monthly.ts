import { usage } from './activities.ts';
import type { Demand } from './demand.ts';
import { dollarsFor, type Priced, prices } from './prices.ts';

/** What a stage costs without users: how many of each thing that is paid by the month. */
export type Fixed = Record<
  'webAcls' | 'webAclRules' | 'alarmMetrics' | 'customMetrics' | 'keys' | 'secrets',
  number
>;

/** Lines of the bill, in the order of the table. */
export const services = [
  'Cognito',
  'CloudFront',
  'WAF',
  'API Gateway',
  'Lambda',
  'DynamoDB',
  'CloudWatch',
  'SES',
  'KMS and secrets',
] as const;
export type Service = (typeof services)[number];

export type Bill = Record<Service, number> & { total: number };

// A run of a schedule: 300 ms at half a GB.
const GIGABYTE_SECONDS_OF_A_RUN = 0.15;

/** Bytes of a row with its entries in the indexes, and with what DynamoDB adds to each. */
const ROW_BYTES = 700;

const cost = (name: Priced, units: number): number => dollarsFor(prices[name], units);

/** A month of a stage with so many monthly users, in dollars. `runs`: of its schedules in a month. Pure. */
export function monthlyBill({
  users,
  demand,
  fixed,
  runs,
  plan = 'liteUsers',
}: {
  users: number;
  demand: Demand;
  fixed: Fixed;
  runs: number;
  plan?: 'liteUsers' | 'essentialsUsers';
}): Bill {
  const ofUsers = (name: Priced & keyof Demand): number => cost(name, demand[name] * users);
  const withGitHub = users * usage.github;
  const bill: Record<Service, number> = {
    Cognito: cost(plan, users - withGitHub) + cost('oidcUsers', withGitHub),
    CloudFront:
      ofUsers('edgeRequests') + ofUsers('edgeGigabytes') + cost('edgeFunctions', demand.edgeRequests * users),
    WAF:
      cost('webAcls', fixed.webAcls) +
      cost('webAclRules', fixed.webAclRules) +
      cost('inspectedRequests', demand.edgeRequests * users),
    'API Gateway': ofUsers('apiRequests'),
    Lambda:
      cost('invocations', demand.invocations * users + runs) +
      cost('gigabyteSeconds', demand.gigabyteSeconds * users + runs * GIGABYTE_SECONDS_OF_A_RUN),
    DynamoDB:
      ofUsers('reads') +
      ofUsers('writes') +
      cost('storedGigabytes', (users * usage.rowsPerUser * ROW_BYTES) / 1e9),
    CloudWatch:
      ofUsers('logGigabytes') +
      cost('alarmMetrics', fixed.alarmMetrics) +
      cost('customMetrics', fixed.customMetrics),
    SES: ofUsers('mails'),
    'KMS and secrets': cost('keys', fixed.keys) + cost('secrets', fixed.secrets) + ofUsers('signatures'),
  };
  return { ...bill, total: Object.values(bill).reduce((sum, dollars) => sum + dollars, 0) };
}
