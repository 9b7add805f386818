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
import type { Stage } from '../../stages/stage.ts';
import { type TableId, timeToLive } from '../../stages/tables.ts';
import { Backups } from './backups.ts';

export interface DataProps {
  stage: Stage;
  /** Whether DynamoDB refuses to delete the tables. */
  isProtected: boolean;
}

/**
 * The DynamoDB tables and the backup bucket. The stack doesn't manage a restored table that replaces its own.
 */
export class Data extends Construct {
  readonly tables: Readonly<Record<TableId, ITable>>;
  readonly backups: Backups;
  readonly #props: DataProps;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    this.#props = props;
    this.backups = new Backups(this, 'Backups', props.stage);
    this.tables = {
      // CDK's own types don't agree with each other about optional properties.
      UserPlans: this.#restored('UserPlans') ?? (this.#createUserPlans() as ITable),
      Waitlist: this.#table('Waitlist', {
        partitionKey: { name: 'email', type: AttributeType.STRING },
      }),
      // Work left to do at Stripe: a few items, by kind.
      StripeWork: this.#table('StripeWork', {
        partitionKey: { name: 'kind', type: AttributeType.STRING },
        sortKey: { name: 'id', type: AttributeType.STRING },
      }),
      // Address changes that wait for a code or can be undone, by the account's `sub`, and the day's counters
      // of addresses (`functions/adapters/dynamodb/address-limits.ts`).
      AddressChanges: this.#table('AddressChanges', {
        partitionKey: { name: 'id', type: AttributeType.STRING },
      }),
      // The codes that apps haven't redeemed, by their hash.
      AppCodes: this.#table('AppCodes', {
        partitionKey: { name: 'code_hash', type: AttributeType.STRING },
      }),
      // The sessions that apps have from codes, and the browsers of users, by the user's `sub`.
      AppSessions: this.#table('AppSessions', {
        partitionKey: { name: 'user_id', type: AttributeType.STRING },
        sortKey: { name: 'id', type: AttributeType.STRING },
      }),
      // Support's actions, by the account's `sub` and the time. No function has a right to this table.
      SupportAudit: this.#table('SupportAudit', {
        partitionKey: { name: 'id', type: AttributeType.STRING },
        sortKey: { name: 'at', type: AttributeType.STRING },
      }),
      // The account that has confirmed each address.
      Addresses: this.#table('Addresses', {
        partitionKey: { name: 'email', type: AttributeType.STRING },
      }),
    };
  }

  #table(id: TableId, keys: Pick<TableProps, 'partitionKey' | 'sortKey'>): ITable {
    return this.#restored(id) ?? (this.#create(id, keys) as ITable);
  }

  #restored(id: TableId): ITable | undefined {
    const tableName = this.#props.stage.restoredTables?.[id];
    if (tableName === undefined) return undefined;
    // The id differs from that of the stack's own table, which leaves the stack.
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
      // A failed creation removes the tables regardless.
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      ...(timeToLiveAttribute !== undefined && { timeToLiveAttribute }),
    });
  }

  #createUserPlans(): Table {
    const table = this.#create('UserPlans', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    // Sparse: only rows with an expiry have a shard. The sweep needs only the keys.
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
