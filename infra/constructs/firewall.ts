import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { type Alarms, REPEATEDLY } from './alarms.ts';
import { API_STAGE } from './api.ts';
import { type RateRule, requestsBlocked, webAcl } from './web-acl.ts';

// From one IP address in five minutes. A page makes some forty requests, so a small office behind one address
// stays far below. A script that fills tables doesn't. Passwords are tried at Cognito, which has its own
// limits.
const MAXIMUM_REQUESTS = 2_000;

// Of what an open route takes in a minute, one IP address gets a tenth.
const ADDRESSES_TO_FILL_A_ROUTE = 10;

// Blocked requests in five minutes. A script that runs into a limit once stays below.
const MANY_BLOCKED = 500;

export interface FirewallProps {
  name: string;
  /** The route table. Routes that anyone may call, and that have a throttle of their own, get a rule. */
  routes: Readonly<Record<string, Endpoint>>;
  /** In the stack of the web ACL. */
  alarms: Alarms;
}

/**
 * Rate limits for each IP address, so that one caller can't use up the throttles, which count the requests of
 * all callers, and AWS's rules against known attacks.
 *
 * WAF isn't exact: it blocks an address usually within thirty seconds of its passing the limit, and within
 * minutes at worst
 * (https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-caveats.html).
 * Until then a flood from one address can fill a route.
 */
export class Firewall extends Construct {
  /** ARN of the web ACL, for the distribution. */
  readonly arn: string;
  /** How many requests were blocked. */
  readonly blocked: IMetric;

  constructor(scope: Construct, id: string, { name, routes, alarms }: FirewallProps) {
    super(scope, id);
    const open = Object.entries(routes).filter(
      ([, { caller }]) => caller === 'anyone' || caller === 'browser',
    );
    this.arn = webAcl(this, {
      name,
      scope: 'CLOUDFRONT',
      tooManyRequests: { customResponse: { responseCode: 429 } },
      rateRules: [
        { name: 'one-address', limit: MAXIMUM_REQUESTS, evaluationWindowSec: 300 },
        ...open.flatMap(([route, endpoint]) => rulesOf(route, endpoint)),
      ],
      // Not the core rule set: it refuses bodies above 8 kB, which webhooks have, queries above 2 kB, which
      // the relay's answers have, addresses of loopback in queries, which apps register, and requests
      // without a browser's name.
      managedRules: [{ name: 'bad-inputs', group: 'AWSManagedRulesKnownBadInputsRuleSet' }],
    }).attrArn;
    this.blocked = requestsBlocked(name);
    alarms.add('RequestsBlocked', {
      severity: 'mail',
      metric: this.blocked,
      threshold: MANY_BLOCKED,
      periods: REPEATEDLY,
      loss: 'Users who share an address with the sender of many requests are refused. Others lose nothing.',
      look: 'See the web ACL in the WAF console, under CloudFront (global): which rule blocks.',
    });
  }
}

function rulesOf(route: string, { path, throttle }: Endpoint): RateRule[] {
  if (!throttle) return [];
  return [
    {
      name: `one-address-${route}`,
      limit: Math.floor((throttle.rate * 60) / ADDRESSES_TO_FILL_A_ROUTE),
      evaluationWindowSec: 60,
      scopeDownStatement: startsWith(`/${API_STAGE}${path}`),
    },
  ];
}

/** Other spellings of the path count too: API Gateway may read them as the same route. */
const startsWith = (path: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString: path,
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
      { priority: 2, type: 'LOWERCASE' },
    ],
  },
});
