/** Where a price was read: on a page of AWS's own, in others' words about such a page, or in neither. */
type Reading = 'aws' | 'others' | 'not verified';

/** A price by volume: each step up to `upTo` units a month, at `dollars` a unit. */
export interface Price {
  /** What a unit is. */
  unit: string;
  steps: readonly { upTo: number; dollars: number }[];
  /** AWS's page with the price. */
  page: string;
  reading: Reading;
}

/** When the prices were last looked up. The copies that were read may be older. */
export const PRICES_READ = '2026-11-22';

const MILLION = 1_000_000;
const page = (service: string): string => `https://aws.amazon.com/${service}/pricing/`;
const flat = (dollars: number, free = 0): Price['steps'] => [
  ...(free > 0 ? [{ upTo: free, dollars: 0 }] : []),
  { upTo: Infinity, dollars },
];

/** Prices of us-east-1, on demand, without the free offers of an account's first year. */
export const prices = {
  liteUsers: {
    unit: 'monthly user, Cognito Lite',
    steps: [
      { upTo: 10_000, dollars: 0 },
      { upTo: 100_000, dollars: 0.0055 },
      { upTo: MILLION, dollars: 0.0046 },
      { upTo: 10 * MILLION, dollars: 0.003_25 },
      { upTo: Infinity, dollars: 0.0025 },
    ],
    page: page('cognito'),
    reading: 'not verified',
  },
  essentialsUsers: {
    unit: 'monthly user, Cognito Essentials',
    steps: flat(0.015, 10_000),
    page: page('cognito'),
    reading: 'not verified',
  },
  oidcUsers: {
    unit: 'monthly user who signs in with GitHub (OpenID Connect)',
    steps: flat(0.015, 50),
    page: page('cognito'),
    reading: 'not verified',
  },
  apiRequests: {
    unit: 'request to the HTTP API',
    steps: [
      { upTo: 300 * MILLION, dollars: 1 / MILLION },
      { upTo: Infinity, dollars: 0.9 / MILLION },
    ],
    page: page('api-gateway'),
    reading: 'aws',
  },
  invocations: {
    unit: 'invocation of a function',
    steps: flat(0.2 / MILLION, MILLION),
    page: page('lambda'),
    reading: 'others',
  },
  gigabyteSeconds: {
    unit: 'GB-second of a function on arm64',
    steps: flat(0.000_013_333_4, 400_000),
    page: page('lambda'),
    reading: 'others',
  },
  reads: {
    unit: 'read request unit of DynamoDB',
    steps: flat(0.125 / MILLION),
    page: page('dynamodb'),
    reading: 'others',
  },
  writes: {
    unit: 'write request unit of DynamoDB',
    steps: flat(0.625 / MILLION),
    page: page('dynamodb'),
    reading: 'others',
  },
  storedGigabytes: {
    unit: 'GB in DynamoDB for a month, with recovery to a point in time',
    steps: flat(0.45),
    page: page('dynamodb'),
    reading: 'not verified',
  },
  edgeRequests: {
    unit: 'request to CloudFront',
    steps: flat(1 / MILLION, 10 * MILLION),
    page: page('cloudfront'),
    reading: 'others',
  },
  edgeGigabytes: {
    unit: 'GB from CloudFront to a browser',
    steps: [
      { upTo: 1_000, dollars: 0 },
      { upTo: 11_000, dollars: 0.085 },
      { upTo: 51_000, dollars: 0.08 },
      { upTo: 151_000, dollars: 0.06 },
      { upTo: Infinity, dollars: 0.04 },
    ],
    page: page('cloudfront'),
    reading: 'aws',
  },
  edgeFunctions: {
    unit: 'run of a CloudFront function',
    steps: flat(0.1 / MILLION, 2 * MILLION),
    page: page('cloudfront'),
    reading: 'others',
  },
  inspectedRequests: {
    unit: 'request that WAF inspects',
    steps: flat(0.6 / MILLION),
    page: page('waf'),
    reading: 'others',
  },
  webAcls: { unit: 'web ACL', steps: flat(5), page: page('waf'), reading: 'others' },
  webAclRules: { unit: 'rule of a web ACL', steps: flat(1), page: page('waf'), reading: 'others' },
  logGigabytes: {
    unit: 'GB written to CloudWatch Logs',
    steps: flat(0.5, 5),
    page: page('cloudwatch'),
    reading: 'others',
  },
  alarmMetrics: {
    unit: 'metric in an alarm',
    steps: flat(0.1, 10),
    page: page('cloudwatch'),
    reading: 'others',
  },
  customMetrics: {
    unit: 'metric of our own',
    steps: flat(0.3, 10),
    page: page('cloudwatch'),
    reading: 'others',
  },
  mails: {
    unit: 'mail through SES',
    steps: flat(0.1 / 1_000),
    page: page('ses'),
    reading: 'not verified',
  },
  keys: { unit: 'key in KMS', steps: flat(1), page: page('kms'), reading: 'aws' },
  signatures: {
    unit: 'signature by KMS',
    steps: flat(0.03 / 10_000),
    page: page('kms'),
    reading: 'others',
  },
  secrets: {
    unit: 'secret in Secrets Manager',
    steps: flat(0.4),
    page: page('secrets-manager'),
    reading: 'others',
  },
} as const satisfies Record<string, Price>;

export type Priced = keyof typeof prices;

/** What `units` a month cost, in dollars: each step's units at that step's price. */
export function dollarsFor({ steps }: Price, units: number): number {
  let below = 0;
  let dollars = 0;
  for (const step of steps) {
    const inStep = Math.max(0, Math.min(units, step.upTo) - below);
    dollars += inStep * step.dollars;
    below = step.upTo;
  }
  return dollars;
}
