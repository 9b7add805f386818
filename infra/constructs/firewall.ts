import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

// Over five minutes from one address. A page with everything it loads and asks is some forty requests; a household or a small
// office behind one address stays far below, and a script that tries passwords or fills tables doesn't.
const MOST_REQUESTS = 2_000;

/** What stands before the distribution: one address can't use up what the stage allows everybody together. */
export class Firewall extends Construct {
  /** For the distribution. */
  readonly arn: string;

  constructor(scope: Construct, id: string, { name }: { name: string }) {
    super(scope, id);
    this.arn = new CfnWebACL(this, 'Acl', {
      name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible(name),
      rules: [
        {
          name: 'one-address',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: {
            rateBasedStatement: { aggregateKeyType: 'IP', limit: MOST_REQUESTS, evaluationWindowSec: 300 },
          },
          visibilityConfig: visible(`${name}-one-address`),
        },
      ],
    }).attrArn;
  }
}

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  // Samples hold whole addresses, and ours carry codes and tokens for a moment.
  sampledRequestsEnabled: false,
  metricName,
});
