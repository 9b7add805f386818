import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { product } from '../../../schemas/product/product.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { API_STAGE } from '../api/api.ts';
import { throttleOf } from '../api/throttle.ts';
import { anyOf, type RateRule, webAcl } from './web-acl.ts';

// Requests from one IP address in five minutes. Fewer than ten requests of a visit count, the others are for
// static files, so two hundred people behind one address may come at once. Password guesses go to Cognito,
// which has its own limits.
const MAXIMUM_REQUESTS = 2_000;

// The site's scripts, styles and fonts. They have no cost but CloudFront's, and lie flat in one folder: the
// pattern fits no other address, however WAF spells it.
const STATIC_FILE = '^/assets/[\\w-]+\\.[\\w.-]+$';

// Requests with one access token in a minute. The dashboard sends about ten as it opens, an app one. An app
// that asks without pause is refused alone.
export const SESSION_REQUESTS = 120;

// One IP address gets a hundredth of what a route with its own throttle accepts in a minute.
const ADDRESSES_TO_FILL_A_ROUTE = 100;
// WAF accepts no lower limit.
const LOWEST_LIMIT = 10;

export interface FirewallProps {
  name: string;
  /** The route table. Routes with their own throttles are limited for each IP address. */
  routes: Readonly<Record<string, Endpoint>>;
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

  constructor(scope: Construct, id: string, { name, routes }: FirewallProps) {
    super(scope, id);
    this.arn = webAcl(this, {
      name,
      scope: 'CLOUDFRONT',
      tooManyRequests: pageOf(
        `Too many requests came from your network in a short time. Please wait five minutes, then reload the page. If it stays like this, write to ${product.supportEmail}.`,
      ),
      rateRules: [
        {
          name: 'one-address',
          limit: MAXIMUM_REQUESTS,
          evaluationWindowSec: 300,
          scopeDownStatement: { notStatement: { statement: isStaticFile } },
        },
        ...routeRules(Object.values(routes)),
        {
          name: 'one-session',
          keys: [{ header: { name: 'authorization', textTransformations: asToken } }],
          limit: SESSION_REQUESTS,
          evaluationWindowSec: 60,
        },
      ],
      // The core rule set is left out. It refuses bodies above 8 kB (webhooks), queries above 2 kB (the
      // relay's answers), loopback addresses in queries (apps register them) and requests without a user
      // agent.
      managedRules: [{ name: 'bad-inputs', group: 'AWSManagedRulesKnownBadInputsRuleSet' }],
    }).attrArn;
  }
}

const inOrder = (...types: string[]) => types.map((type, priority) => ({ priority, type }));
const unchanged = inOrder('NONE');
// API Gateway accepts a token after `Bearer` in any case, after any white space, and alone: one session has
// two spellings that are counted by themselves.
const asToken = inOrder('COMPRESS_WHITE_SPACE', 'LOWERCASE');

const isStaticFile: CfnWebACL.StatementProperty = {
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: STATIC_FILE,
    textTransformations: unchanged,
  },
};

// Other spellings of a path count with it, since API Gateway may treat them as the same route.
const asPath = inOrder('URL_DECODE', 'NORMALIZE_PATH', 'LOWERCASE');

/**
 * A rule for all routes with the same limit, which counts each address and path by itself: WAF's price is by
 * the rule. A route that gets no rule is one whose share is above what an address may send altogether.
 */
function routeRules(routes: readonly Endpoint[]): RateRule[] {
  const limited = routes
    .flatMap((route) => {
      const throttle = throttleOf(route);
      return throttle ? [{ path: route.path, limit: shareOf(throttle) }] : [];
    })
    .filter(({ limit }) => limit < MAXIMUM_REQUESTS / 5);
  return [...Map.groupBy(limited, ({ limit }) => limit)].map(([limit, alike]): RateRule => ({
    name: `one-address-${limit}`,
    keys: [{ ip: {} }, { uriPath: { textTransformations: asPath } }],
    limit,
    evaluationWindowSec: 60,
    scopeDownStatement: anyOf(
      alike.map(({ path }) => ({
        byteMatchStatement: {
          fieldToMatch: { uriPath: {} },
          positionalConstraint: 'STARTS_WITH',
          searchString: `/${API_STAGE}${path}`,
          textTransformations: asPath,
        },
      })),
    ),
  }));
}

/** Requests of one IP address in a minute. */
export const shareOf = ({ rate }: { rate: number }): number =>
  Math.max(LOWEST_LIMIT, Math.floor((rate * 60) / ADDRESSES_TO_FILL_A_ROUTE));

/** A page for people. Programs go by the status. */
const pageOf = (sentence: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Too many requests – ${product.name}</title><body style="max-width:36rem;margin:4rem auto;padding:0 1rem;font:1.1rem/1.6 system-ui"><h1>Too many requests</h1><p>${sentence}</p>`;
