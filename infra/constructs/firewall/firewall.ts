import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { type Alarms, REPEATEDLY } from '../alarms/alarms.ts';
import { API_STAGE } from '../api/api.ts';
import { type RateRule, requestsBlocked, webAcl } from './web-acl.ts';

// Requests from one IP address in five minutes. A page makes some forty requests, so a small office behind
// one address stays far below the limit, unlike a script that fills tables. Password guesses go to Cognito,
// which has its own limits.
const MAXIMUM_REQUESTS = 2_000;

// Requests with one access token in a minute. The dashboard sends about ten as it opens, an app one. An app
// that asks without pause is refused alone.
export const SESSION_REQUESTS = 120;

// One IP address gets a tenth of what an open route accepts in a minute.
const ADDRESSES_TO_FILL_A_ROUTE = 10;

// Blocked requests in five minutes. A script that runs into a limit once stays below this number.
const MANY_BLOCKED = 500;

export interface FirewallProps {
  name: string;
  /** The route table. Each route that anyone may call and that has its own throttle gets a rule. */
  routes: Readonly<Record<string, Endpoint>>;
  /** The alarms in the web ACL's stack. */
  alarms: Alarms;
}

/**
 * Rate limits for each IP address, and AWS's rules against known attacks. Throttles count the requests of all
 * callers: the rate limits keep one caller from using them up.
 *
 * WAF isn't exact: it usually blocks an address within thirty seconds of passing the limit, at worst within
 * minutes
 * (https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-caveats.html).
 * Until then a flood from one address can fill a route.
 */
export class Firewall extends Construct {
  /** ARN of the web ACL, for the distribution. */
  readonly arn: string;
  /** The number of blocked requests. */
  readonly blocked: IMetric;

  constructor(scope: Construct, id: string, { name, routes, alarms }: FirewallProps) {
    super(scope, id);
    const open = Object.entries(routes).filter(
      ([, { caller }]) => caller === 'anyone' || caller === 'browser' || caller === 'app',
    );
    this.arn = webAcl(this, {
      name,
      scope: 'CLOUDFRONT',
      tooManyRequests: { customResponse: { responseCode: 429 } },
      rateRules: [
        { name: 'one-address', limit: MAXIMUM_REQUESTS, evaluationWindowSec: 300 },
        ...open.flatMap(([route, endpoint]) => rulesOf(route, endpoint)),
        { name: 'one-session', header: 'authorization', limit: SESSION_REQUESTS, evaluationWindowSec: 60 },
      ],
      // The core rule set is left out. It refuses bodies above 8 kB (webhooks), queries above 2 kB (the
      // relay's answers), loopback addresses in queries (apps register them) and requests without a user
      // agent.
      managedRules: [{ name: 'bad-inputs', group: 'AWSManagedRulesKnownBadInputsRuleSet' }],
    }).attrArn;
    this.blocked = requestsBlocked(name);
    alarms.add('RequestsBlocked', {
      severity: 'mail',
      metric: this.blocked,
      threshold: MANY_BLOCKED,
      periods: REPEATEDLY,
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

/** Other spellings of the path count too, since API Gateway may treat them as the same route. */
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
