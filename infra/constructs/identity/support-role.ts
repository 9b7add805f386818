import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Data } from '../data/data.ts';
import { tableRights } from '../data/table-rights.ts';
import { addOutputs } from '../outputs.ts';
import { supportTables } from './support-tables.ts';
import { allowFindings } from '../rule-exceptions.ts';

export interface SupportProps {
  data: Data;
  pool: UserPool;
  /** Name of the secret with Stripe's key, which belongs to no stack. */
  stripeSecretName: string;
}

/**
 * The rights that `npm run ops -- support` needs, as a policy for people, and the outputs that the command
 * reads.
 */
export class Support extends Construct {
  constructor(scope: Construct, id: string, { data, pool, stripeSecretName }: SupportProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const { UserPlans, StripeWork, Waitlist, AddressChanges, AppSessions, SupportAudit } = data.tables;
    const policy = new ManagedPolicy(this, 'Policy', {
      // IAM Identity Center refers to policies by name. Names are unique across all regions of the account.
      managedPolicyName: `${stack.stackName}-${stack.region}-support`,
      description: `The commands of support on ${stack.stackName}`,
      statements: [
        // A request by the stack's name has no known id, so IAM compares the resource with any id.
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
        ...tableRights(UserPlans, ['GetItem', 'PutItem', 'UpdateItem']),
        // A deletion is ordered as a task. The billing tasks have the rights to carry it out.
        ...tableRights(StripeWork, ['GetItem', 'UpdateItem']),
        ...tableRights(Waitlist, ['GetItem']),
        ...tableRights(AddressChanges, ['GetItem']),
        ...tableRights(AppSessions, ['Query']),
        // Lines are added and read. Nobody needs to change or remove a line.
        ...tableRights(SupportAudit, ['PutItem', 'Query']),
        new PolicyStatement({
          actions: ['secretsmanager:GetSecretValue'],
          resources: [
            stack.formatArn({
              service: 'secretsmanager',
              resource: 'secret',
              // AWS appends six characters to the secret's name.
              resourceName: `${stripeSecretName}-??????`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ],
        }),
      ],
    });
    allowFindings(
      policy,
      'Limited to one stack, whose id is unknown until it exists.',
      `IAM5[Resource::arn:aws:cloudformation:${stack.region}:<AWS::AccountId>:stack/${stack.stackName}/*]`,
    );
    const reason = "SES's list of addresses is the account's, and the action takes no resource.";
    allowFindings(policy, reason, 'IAM5[Resource::*]');
    addOutputs(this, {
      ...Object.fromEntries(supportTables.map((table) => [`${table}Table`, data.tables[table].tableName])),
      SupportPolicy: policy.managedPolicyArn,
    });
  }
}
