import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

export interface DataProps {
  /** Whether the tables are kept when the stack is deleted. A creation that fails removes them. */
  keepsData: boolean;
  /** Whether DynamoDB refuses to delete the tables. */
  isProtected: boolean;
}

/** The DynamoDB tables. */
export class Data extends Construct {
  readonly userPlans: Table;
  readonly waitlist: Table;
  readonly stripeWork: Table;
  readonly addresses: Table;
  readonly addressChanges: Table;
  readonly supportAudit: Table;

  constructor(scope: Construct, id: string, { keepsData, isProtected }: DataProps) {
    super(scope, id);
    const common = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProtected,
      removalPolicy: keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    } satisfies Partial<TableProps>;

    this.userPlans = new Table(this, 'UserPlans', {
      ...common,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    // Sparse: only rows with an expiry have a shard. A sweep needs only the keys.
    this.userPlans.addGlobalSecondaryIndex({
      indexName: 'by_expiry',
      partitionKey: { name: 'expiry_shard', type: AttributeType.NUMBER },
      sortKey: { name: 'plan_expires_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse: only rows whose account can become idle have a shard.
    this.userPlans.addGlobalSecondaryIndex({
      indexName: 'by_idle',
      partitionKey: { name: 'idle_shard', type: AttributeType.NUMBER },
      sortKey: { name: 'idle_due_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });

    this.waitlist = new Table(this, 'Waitlist', {
      ...common,
      partitionKey: { name: 'email', type: AttributeType.STRING },
    });

    // What is still to be done with Stripe: a few items, by kind.
    this.stripeWork = new Table(this, 'StripeWork', {
      ...common,
      partitionKey: { name: 'kind', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });

    // Changes of address that wait for a code, and those that can be undone, by the account's `sub`.
    this.addressChanges = new Table(this, 'AddressChanges', {
      ...common,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires_at',
    });

    // What support has done, by the account's `sub` and the time. No function has a right to it.
    this.supportAudit = new Table(this, 'SupportAudit', {
      ...common,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      sortKey: { name: 'at', type: AttributeType.STRING },
    });

    // Which account has proved an address.
    this.addresses = new Table(this, 'Addresses', {
      ...common,
      partitionKey: { name: 'email', type: AttributeType.STRING },
    });
  }
}
