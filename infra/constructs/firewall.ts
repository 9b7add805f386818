import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// From one IP address in five minutes. A page makes some forty requests, so a small office behind one address
// stays far below. A script that tries passwords or fills tables doesn't.
const MAXIMUM_REQUESTS = 2_000;

/** Rate limit for each IP address, so that one caller can't use up the stage's throttle. */
export class Firewall extends Construct {
  /** ARN of the web ACL, for the distribution. */
  readonly arn: string;

  constructor(scope: Construct, id: string, { name }: { name: string }) {
    super(scope, id);
    this.arn = new CfnWebACL(this, 'Acl', {
      name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: metricsAs(name),
      rules: [
        {
          name: 'one-address',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: {
            rateBasedStatement: { aggregateKeyType: 'IP', limit: MAXIMUM_REQUESTS, evaluationWindowSec: 300 },
          },
          visibilityConfig: metricsAs(`${name}-one-address`),
        },
      ],
    }).attrArn;
  }
}

const metricsAs = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  // Samples contain whole URLs, and some of ours carry codes and tokens.
  sampledRequestsEnabled: false,
  metricName,
});
