import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Stage } from '../stages/stage.ts';
import { type TableId, timeToLive } from '../tables.ts';
import { Backups } from './backups.ts';

export interface DataProps {
  stage: Stage;
  /** Whether DynamoDB refuses to delete the tables. */
  isProtected: boolean;
}

/**
 * The DynamoDB tables, and the bucket of backups. A restored table that is in use in place of the stack's own
 * is not managed by the stack.
 */
export class Data extends Construct {
  readonly userPlans: ITable;
  readonly waitlist: ITable;
  readonly stripeWork: ITable;
  readonly addresses: ITable;
  readonly addressChanges: ITable;
  readonly supportAudit: ITable;
  readonly backups: Backups;
  readonly #props: DataProps;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    this.#props = props;
    this.backups = new Backups(this, 'Backups', props.stage);
    // CDK's own types don't agree with each other about optional properties.
    this.userPlans = this.#restored('UserPlans') ?? (this.#createUserPlans() as ITable);
    this.waitlist = this.#table('Waitlist', {
      partitionKey: { name: 'email', type: AttributeType.STRING },
    });

    // What is still to be done with Stripe: a few items, by kind.
    this.stripeWork = this.#table('StripeWork', {
      partitionKey: { name: 'kind', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });

    // Changes of address that wait for a code, and those that can be undone, by the account's `sub`.
    this.addressChanges = this.#table('AddressChanges', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });

    // What support has done, by the account's `sub` and the time. No function has a right to it.
    this.supportAudit = this.#table('SupportAudit', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      sortKey: { name: 'at', type: AttributeType.STRING },
    });

    // Which account has proved an address.
    this.addresses = this.#table('Addresses', {
      partitionKey: { name: 'email', type: AttributeType.STRING },
    });
  }

  #table(id: TableId, keys: Pick<TableProps, 'partitionKey' | 'sortKey'>): ITable {
    return this.#restored(id) ?? (this.#create(id, keys) as ITable);
  }

  #restored(id: TableId): ITable | undefined {
    const tableName = this.#props.stage.restoredTables?.[id];
    if (tableName === undefined) return undefined;
    // Another id than the stack's own table has, which leaves the stack.
    return Table.fromTableName(this, `${id}Restored`, tableName);
  }

  #create(id: TableId, keys: Pick<TableProps, 'partitionKey' | 'sortKey'>): Table {
    const { stage, isProtected } = this.#props;
    const timeToLiveAttribute = timeToLive[id];
    return new Table(this, id, {
      ...keys,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProtected,
      // A creation that fails removes the tables all the same.
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      ...(timeToLiveAttribute !== undefined && { timeToLiveAttribute }),
    });
  }

  #createUserPlans(): Table {
    const table = this.#create('UserPlans', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    // Sparse: only rows with an expiry have a shard. A sweep needs only the keys.
    table.addGlobalSecondaryIndex({
      indexName: 'by_expiry',
      partitionKey: { name: 'expiry_shard', type: AttributeType.NUMBER },
      sortKey: { name: 'plan_expires_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse: only rows whose account can become idle have a shard.
    table.addGlobalSecondaryIndex({
      indexName: 'by_idle',
      partitionKey: { name: 'idle_shard', type: AttributeType.NUMBER },
      sortKey: { name: 'idle_due_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    return table;
  }
}
