import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Data } from './data.ts';
import { allowFindings } from './rule-exceptions.ts';

export interface SupportProps {
  data: Data;
  pool: UserPool;
  /** Of the secret with Stripe's key, which belongs to no stack. */
  stripeSecretName: string;
}

/** The rights that `npm run support` needs, as a policy for people, and the outputs that it reads. */
export class Support extends Construct {
  constructor(scope: Construct, id: string, { data, pool, stripeSecretName }: SupportProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const { userPlans, stripeWork, waitlist, supportAudit } = data;
    const policy = new ManagedPolicy(this, 'Policy', {
      // IAM Identity Center takes policies by name. Names count for all regions of the account.
      managedPolicyName: `${stack.stackName}-${stack.region}-support`,
      description: `npm run support on ${stack.stackName}`,
      statements: [
        // Asked by name, the stack has no known id: IAM compares with any.
        new PolicyStatement({
          actions: ['cloudformation:DescribeStacks'],
          resources: [
            stack.formatArn({
              service: 'cloudformation',
              resource: 'stack',
              resourceName: `${stack.stackName}/*`,
            }),
          ],
        }),
        new PolicyStatement({ actions: ['cognito-idp:ListUsers'], resources: [pool.userPoolArn] }),
        new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] }),
        on(userPlans, 'GetItem', 'PutItem', 'UpdateItem'),
        on(stripeWork, 'GetItem', 'UpdateItem'),
        on(waitlist, 'Scan'),
        // Lines are added and read. Nobody needs to change or remove one.
        on(supportAudit, 'PutItem', 'Query'),
        new PolicyStatement({
          actions: ['secretsmanager:GetSecretValue'],
          resources: [
            stack.formatArn({
              service: 'secretsmanager',
              resource: 'secret',
              // AWS adds six characters to its name.
              resourceName: `${stripeSecretName}-??????`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ],
        }),
      ],
    });
    allowFindings(
      policy,
      'Of one stack, whose id is made with it.',
      `IAM5[Resource::arn:<AWS::Partition>:cloudformation:${stack.region}:<AWS::AccountId>:stack/${stack.stackName}/*]`,
    );
    const reason = "SES's list of addresses is the account's, and the action takes no resource.";
    allowFindings(policy, reason, 'IAM5[Resource::*]');
    const outputs = {
      UserPlansTable: userPlans.tableName,
      StripeWorkTable: stripeWork.tableName,
      WaitlistTable: waitlist.tableName,
      SupportAuditTable: supportAudit.tableName,
      SupportPolicy: policy.managedPolicyArn,
    };
    for (const [name, value] of Object.entries(outputs)) {
      new CfnOutput(this, name, { value }).overrideLogicalId(name);
    }
  }
}

/** On the table alone: `Table.grant` would add its indexes. */
const on = (table: ITable, ...actions: string[]): PolicyStatement =>
  new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
  });
