import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { BucketDeployment } from 'aws-cdk-lib/aws-s3-deployment';
import type { IConstruct } from 'constructs';

/**
 * Allows a construct, and everything below it, to break rules of cdk-nag, with the reason. `rules`: without
 * their prefix, as in `COG2` or `IAM5[Action::s3:List*]`. `tests/infra/nag.test.ts` runs the rules, and fails
 * for an exception that isn't needed.
 */
export function allowFindings(construct: IConstruct, reason: string, ...rules: string[]): void {
  Validations.of(construct).acknowledge(...rules.map((rule) => ({ id: `AwsSolutions-${rule}`, reason })));
}

/** The ARN of a construct's resource, as cdk-nag writes it. */
export const arnInRules = (construct: IConstruct): string =>
  `<${Stack.of(construct).getLogicalId(construct.node.defaultChild as CfnElement)}.Arn>`;

/** Rights to write logs, which CDK gives to its own functions. */
const LOG_RIGHTS =
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]';

/** CDK's own function uploads the site. All deployments share the function, and its rights can't be set. */
export function allowUploads(deployment: BucketDeployment, bucket: IBucket): void {
  const uploader = deployment.handlerRole.node.scope;
  if (!uploader) throw new Error('The role that uploads the site has no function.');
  const { region } = Stack.of(deployment);
  allowFindings(
    uploader,
    "CDK's function reads CDK's bucket of assets, and writes the site's: both hold public files.",
    LOG_RIGHTS,
    ...['GetObject*', 'GetBucket*', 'List*', 'DeleteObject*', 'Abort*'].map(
      (actions) => `IAM5[Action::s3:${actions}]`,
    ),
    `IAM5[Resource::arn:aws:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-${region}/*]`,
    `IAM5[Resource::${arnInRules(bucket)}/*]`,
  );
  allowFindings(
    uploader,
    'CloudFront invalidations have no resource to name in the rights that CDK gives.',
    'IAM5[Resource::*]',
  );
  allowFindings(uploader, 'CDK chooses the runtime of its function.', 'L1');
}
