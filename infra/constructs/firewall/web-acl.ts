import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { PROMPT } from '../alarms/alarms.ts';

/** Blocks requests above a number, for each IP address or each value of a header. */
export interface RateRule {
  name: string;
  /** The header, in lower case. Requests without it don't count. @default each IP address */
  header?: string;
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

/** Blocks these requests, whoever sends them. */
export interface BlockRule {
  name: string;
  statement: CfnWebACL.StatementProperty;
}

export interface WebAclProps {
  /** The web ACL's name, and the first part of its metrics' names. */
  name: string;
  scope: 'CLOUDFRONT' | 'REGIONAL';
  /** The answer to requests that a rate rule blocks. @default 403 */
  tooManyRequests?: CfnWebACL.BlockActionProperty;
  rateRules: readonly RateRule[];
  managedRules: readonly ManagedRule[];
  blockRules?: readonly BlockRule[];
}

/** A web ACL that allows every request that no rule blocks. */
export function webAcl(
  parent: Construct,
  { name, scope, tooManyRequests = {}, rateRules, managedRules, blockRules = [] }: WebAclProps,
): CfnWebACL {
  const metricOf = (rule: string) => metricsAs(`${name}-${rule}`);
  return new CfnWebACL(parent, 'Acl', {
    name,
    scope,
    defaultAction: { allow: {} },
    visibilityConfig: metricsAs(name),
    rules: [
      ...rateRules.map(({ name: rule, header, ...rate }, priority) => ({
        name: rule,
        priority,
        action: { block: tooManyRequests },
        statement: { rateBasedStatement: { ...keysOf(header), ...rate } },
        visibilityConfig: metricOf(rule),
      })),
      ...managedRules.map(({ name: rule, group, scopeDownStatement }, index) => ({
        name: rule,
        priority: rateRules.length + index,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: group,
            ...(scopeDownStatement && { scopeDownStatement }),
          },
        },
        visibilityConfig: metricOf(rule),
      })),
      ...blockRules.map(({ name: rule, statement }, index) => ({
        name: rule,
        priority: rateRules.length + managedRules.length + index,
        action: { block: {} },
        statement,
        visibilityConfig: metricOf(rule),
      })),
    ],
  });
}

const keysOf = (header: string | undefined) =>
  header === undefined
    ? { aggregateKeyType: 'IP' }
    : {
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [{ header: { name: header, textTransformations: [{ priority: 0, type: 'NONE' }] } }],
      };

/** The number of requests that a web ACL blocked. `region`: a regional web ACL's; CloudFront's has none. */
export const requestsBlocked = (name: string, region?: string): IMetric =>
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
