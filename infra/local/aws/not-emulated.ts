import { ACCOUNT, arn, generatedName, type ResourceType } from '../stack/resource-type.ts';

const notEmulated = (reason: string, attributes: ResourceType['attributes'] = {}): ResourceType => ({
  ref: generatedName,
  attributes,
  notEmulated: reason,
});

const NO_PERMISSIONS = 'Everything on this machine may call everything else.';
const NO_FIREWALL = 'A laptop is not attacked, and tests send from one address.';
const NO_ACCESS_LOG = "A browser's own tools show each request.";
const NO_MONITORING = 'A failure shows in the terminal and in the console.';

const iamArn = (kind: string): ResourceType['attributes'] => ({
  Arn: (resource) => `arn:aws:iam::${ACCOUNT}:${kind}/${generatedName(resource)}`,
});

/** Resource types of the stack without a service in the local world. Their resources only have names. */
export const notEmulatedTypes: Record<string, ResourceType> = {
  'AWS::IAM::Role': notEmulated(NO_PERMISSIONS, iamArn('role')),
  'AWS::IAM::Policy': notEmulated(NO_PERMISSIONS),
  'AWS::IAM::ManagedPolicy': {
    ...notEmulated(NO_PERMISSIONS),
    ref: (policy) => `arn:aws:iam::${ACCOUNT}:policy/${generatedName(policy)}`,
  },
  'AWS::Lambda::Permission': notEmulated(NO_PERMISSIONS),
  'AWS::SNS::TopicPolicy': notEmulated(NO_PERMISSIONS),
  'AWS::SQS::QueuePolicy': notEmulated(NO_PERMISSIONS),
  'AWS::Lambda::EventInvokeConfig': notEmulated('The scheduler here calls a function once.'),
  'AWS::Logs::LogGroup': notEmulated('Functions write to the terminal and to the console.', {
    Arn: (group) => arn('logs', `log-group:${group.text('LogGroupName') ?? generatedName(group)}:*`),
  }),
  'AWS::Logs::MetricFilter': notEmulated(NO_MONITORING),
  'AWS::Logs::ResourcePolicy': notEmulated(NO_PERMISSIONS),
  'AWS::Logs::DeliverySource': notEmulated(NO_ACCESS_LOG),
  'AWS::Logs::DeliveryDestination': notEmulated(NO_ACCESS_LOG, {
    Arn: (destination) =>
      arn('logs', `delivery-destination:${destination.text('Name') ?? generatedName(destination)}`),
  }),
  'AWS::Logs::Delivery': notEmulated(NO_ACCESS_LOG),
  'AWS::CloudWatch::Alarm': notEmulated(NO_MONITORING, {
    Arn: (alarm) => arn('cloudwatch', `alarm:${alarm.text('AlarmName') ?? generatedName(alarm)}`),
  }),
  'AWS::CloudWatch::Dashboard': notEmulated(NO_MONITORING),
  'AWS::SNS::Topic': notEmulated(NO_MONITORING, { TopicArn: (topic) => arn('sns', generatedName(topic)) }),
  'AWS::SNS::Subscription': notEmulated(NO_MONITORING),
  'AWS::Budgets::Budget': notEmulated('Nothing here costs money.'),
  'AWS::WAFv2::WebACL': notEmulated(NO_FIREWALL, {
    Arn: (acl) => arn('wafv2', `global/webacl/${acl.text('Name') ?? generatedName(acl)}/local`),
  }),
  'AWS::WAFv2::WebACLAssociation': notEmulated(NO_FIREWALL),
  'AWS::Lambda::LayerVersion': notEmulated("It carries the AWS CLI for CDK's own function, which isn't run."),
  'AWS::CDK::Metadata': notEmulated('It counts constructs for AWS.'),
};
