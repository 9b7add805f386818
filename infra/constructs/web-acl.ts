import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { PROMPT } from './alarms.ts';

/** Blocks an IP address that sends more requests. */
export interface RateRule {
  name: string;
  /** Requests within the window. WAF accepts 10 and more. */
  limit: number;
  /** Seconds. WAF accepts 60, 120, 300 and 600. */
  evaluationWindowSec: 60 | 300;
  /** Without it, all requests count. */
  scopeDownStatement?: CfnWebACL.StatementProperty;
}

/** Blocks what a rule group of AWS blocks: https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html */
export interface ManagedRule {
  name: string;
  group: `AWSManagedRules${string}`;
  /** Without it, the group sees all requests. */
  scopeDownStatement?: CfnWebACL.StatementProperty;
}

export interface WebAclProps {
  /** Also the first part of its metrics' names. */
  name: string;
  scope: 'CLOUDFRONT' | 'REGIONAL';
  /** How it answers what a rate rule blocks. @default 403 */
  tooManyRequests?: CfnWebACL.BlockActionProperty;
  rateRules: readonly RateRule[];
  managedRules: readonly ManagedRule[];
}

/** A web ACL that allows what no rule blocks. */
export function webAcl(
  parent: Construct,
  { name, scope, tooManyRequests = {}, rateRules, managedRules }: WebAclProps,
): CfnWebACL {
  const metricOf = (rule: string) => metricsAs(`${name}-${rule}`);
  return new CfnWebACL(parent, 'Acl', {
    name,
    scope,
    defaultAction: { allow: {} },
    visibilityConfig: metricsAs(name),
    rules: [
      ...rateRules.map(({ name: rule, ...rate }, priority) => ({
        name: rule,
        priority,
        action: { block: tooManyRequests },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', ...rate } },
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
    ],
  });
}

/** How many requests a web ACL blocked. `region`: of a regional one; that for CloudFront has none. */
export const requestsBlocked = (name: string, region?: string): IMetric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: name, Rule: 'ALL', ...(region !== undefined && { Region: region }) },
    // Those for CloudFront are in us-east-1 wherever the stage is.
    region: region ?? 'us-east-1',
    period: PROMPT,
    statistic: 'sum',
  });

const metricsAs = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  // Samples contain whole URLs, and some of ours carry codes and tokens.
  sampledRequestsEnabled: false,
  metricName,
});
