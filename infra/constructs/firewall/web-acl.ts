import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { PROMPT } from '../alarms/alarms.ts';

/** Blocks requests above a number, for each IP address or for each combination of keys. */
export interface RateRule {
  name: string;
  /** Requests without one of the keys don't count. @default each IP address */
  keys?: readonly CfnWebACL.RateBasedStatementCustomKeyProperty[];
  /** Requests within the window. WAF accepts 10 or more. */
  limit: number;
  /** Seconds. WAF accepts 60, 120, 300 or 600. */
  evaluationWindowSec: 60 | 300;
  /** Limits the rule to these requests. @default all requests count */
  scopeDownStatement?: CfnWebACL.StatementProperty;
}

/**
 * Applies one of AWS's rule groups:
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html
 */
export interface ManagedRule {
  name: string;
  group: `AWSManagedRules${string}`;
  /** Limits the group to these requests. @default the group sees all requests */
  scopeDownStatement?: CfnWebACL.StatementProperty;
}

/** Blocks these requests from any sender. */
export interface BlockRule {
  name: string;
  statement: CfnWebACL.StatementProperty;
}

export interface WebAclProps {
  /** The web ACL's name, and the first part of its metrics' names. */
  name: string;
  scope: 'CLOUDFRONT' | 'REGIONAL';
  /** The page that a rate rule answers with, and status 429. @default 403 without a body */
  tooManyRequests?: string;
  rateRules: readonly RateRule[];
  managedRules: readonly ManagedRule[];
  blockRules?: readonly BlockRule[];
}

const TOO_MANY = 'too-many-requests';
const refusal: CfnWebACL.CustomResponseProperty = {
  responseCode: 429,
  customResponseBodyKey: TOO_MANY,
  // Seconds. A rule lifts its block once the rate within its window is below the limit.
  responseHeaders: [{ name: 'retry-after', value: '60' }],
};

/** A web ACL that allows every request that no rule blocks. */
export function webAcl(
  parent: Construct,
  { name, scope, tooManyRequests, rateRules, managedRules, blockRules = [] }: WebAclProps,
): CfnWebACL {
  const rules: Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>[] = [
    ...rateRules.map(({ name: rule, keys, ...rate }) => ({
      name: rule,
      action: { block: tooManyRequests === undefined ? {} : { customResponse: refusal } },
      statement: {
        rateBasedStatement: {
          ...(keys ? { aggregateKeyType: 'CUSTOM_KEYS', customKeys: [...keys] } : { aggregateKeyType: 'IP' }),
          ...rate,
        },
      },
    })),
    ...managedRules.map(({ name: rule, group, scopeDownStatement }) => ({
      name: rule,
      overrideAction: { none: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name: group,
          ...(scopeDownStatement && { scopeDownStatement }),
        },
      },
    })),
    ...blockRules.map((rule) => ({ ...rule, action: { block: {} } })),
  ];
  return new CfnWebACL(parent, 'Acl', {
    name,
    scope,
    defaultAction: { allow: {} },
    visibilityConfig: metricsAs(name),
    ...(tooManyRequests !== undefined && {
      customResponseBodies: { [TOO_MANY]: { contentType: 'TEXT_HTML', content: tooManyRequests } },
    }),
    rules: rules.map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: metricsAs(`${name}-${rule.name}`),
    })),
  });
}

/** Matches requests that one of the statements matches. WAF refuses an OR with a single statement. */
export function anyOf(statements: CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty {
  const [first, ...others] = statements;
  if (!first) throw new Error('A rule needs a statement.');
  return others.length === 0 ? first : { orStatement: { statements } };
}

/** The number of requests that a web ACL blocked. `region`: a regional web ACL's; CloudFront's has none. */
export const requestsBlocked = (name: string, region?: string): Metric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: name, Rule: 'ALL', ...(region !== undefined && { Region: region }) },
    // Metrics of CloudFront's web ACLs are in us-east-1, whatever the stage's region.
    region: region ?? 'us-east-1',
    period: PROMPT,
    statistic: 'sum',
  });

const metricsAs = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  // Samples contain whole URLs, and some of our URLs contain codes and tokens.
  sampledRequestsEnabled: false,
  metricName,
});
