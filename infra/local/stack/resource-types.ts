import { bucketTypes } from '../aws/s3.ts';
import { distributionTypes } from '../aws/cloudfront/distribution.ts';
import { dynamodbTypes } from '../aws/dynamodb/tables.ts';
import { httpApiTypes } from '../aws/http-api/http-api.ts';
import { kmsTypes } from '../aws/kms.ts';
import { lambdaTypes } from '../aws/lambda/functions.ts';
import { ACCOUNT, arn, generatedName, type ResourceType } from './resource-type.ts';
import { schedulerTypes } from '../aws/scheduler/schedules.ts';
import { secretsManagerTypes } from '../aws/secrets-manager.ts';
import { sesTypes } from '../aws/ses.ts';
import { userPoolTypes } from '../aws/cognito/user-pool.ts';

const faceless = (reason: string, attributes: ResourceType['attributes'] = {}): ResourceType => ({
  ref: generatedName,
  attributes,
  faceless: reason,
});

const PERMISSIONS = 'Everything on this machine may call everything else: it all belongs to one person.';
const WATCHING = 'Nobody is called out of bed for a laptop.';

const iamArn = (kind: string): ResourceType['attributes'] => ({
  Arn: (resource) => `arn:aws:iam::${ACCOUNT}:${kind}/${generatedName(resource)}`,
});

/**
 * Every resource type a stack may have. A type that isn't here is an error, so that the local product can't drift
 * from the deployed one: give it a module of its own, or name it here with the reason why it needs none.
 */
export const resourceTypes: Record<string, ResourceType> = {
  ...bucketTypes,
  ...distributionTypes,
  ...dynamodbTypes,
  ...httpApiTypes,
  ...kmsTypes,
  ...lambdaTypes,
  ...schedulerTypes,
  ...secretsManagerTypes,
  ...sesTypes,
  ...userPoolTypes,
  'AWS::IAM::Role': faceless(PERMISSIONS, iamArn('role')),
  'AWS::IAM::Policy': faceless(PERMISSIONS),
  'AWS::Lambda::Permission': faceless(PERMISSIONS),
  'AWS::SNS::TopicPolicy': faceless(PERMISSIONS),
  'AWS::Logs::LogGroup': faceless('Functions write to the console of whoever started them.', {
    Arn: (group) => arn('logs', `log-group:${group.text('LogGroupName') ?? generatedName(group)}:*`),
  }),
  'AWS::Logs::MetricFilter': faceless(WATCHING),
  'AWS::CloudWatch::Alarm': faceless(WATCHING, {
    Arn: (alarm) => arn('cloudwatch', `alarm:${alarm.text('AlarmName') ?? generatedName(alarm)}`),
  }),
  'AWS::SNS::Topic': faceless(WATCHING, { TopicArn: (topic) => arn('sns', generatedName(topic)) }),
  'AWS::SNS::Subscription': faceless(WATCHING),
  'AWS::WAFv2::WebACL': faceless('Nobody storms a laptop, and tests come from one address.', {
    Arn: (acl) => arn('wafv2', `global/webacl/${acl.text('Name') ?? generatedName(acl)}/local`),
  }),
  'AWS::Lambda::LayerVersion': faceless("It carries the AWS CLI for CDK's own function, which isn't run."),
  'AWS::CDK::Metadata': faceless('It counts constructs for AWS.'),
};
