import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  CfnDelivery,
  CfnDeliveryDestination,
  CfnDeliverySource,
  LogGroup,
  type RetentionDays,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * The fields of a log line. The query, the `Referer` and cookies are left out, which may contain codes,
 * tokens and addresses, and so are IP address, browser and country, which identify people. None of our paths
 * contains personal data.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
const FIELDS = [
  'date',
  'time',
  'x-edge-location',
  'x-edge-request-id',
  'cs-method',
  'cs-uri-stem',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
];

export interface EdgeLogProps {
  distribution: Distribution;
  retention: RetentionDays;
}

/** CloudFront's access log, in CloudWatch Logs. Its stack is in `EDGE_REGION`. */
export class EdgeLog extends Construct {
  constructor(scope: Construct, id: string, { distribution, retention }: EdgeLogProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const group = new LogGroup(this, 'Group', { retention, removalPolicy: RemovalPolicy.DESTROY });
    const policy = group.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [group.logGroupArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnLike: { 'aws:SourceArn': stack.formatArn({ service: 'logs', resource: '*' }) },
        },
      }),
    );
    const name = `${stack.stackName}-edge`;
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: distribution.distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      outputFormat: 'json',
      destinationResourceArn: group.logGroupArn,
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.ref,
      deliveryDestinationArn: destination.attrArn,
      recordFields: FIELDS,
    });
    // CloudWatch Logs checks the policy as the delivery is created.
    if (policy.policyDependable) delivery.node.addDependency(policy.policyDependable);
  }
}
