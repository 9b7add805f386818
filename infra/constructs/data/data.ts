import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Stage } from '../../stages/stage.ts';
import { factsOf, type TableId, tableIds } from '../../../schemas/tables.ts';

export interface DataProps {
  stage: Stage;
  /** Whether DynamoDB refuses to delete the tables. */
  isProtected: boolean;
}

/** The DynamoDB tables. The stack doesn't manage a restored table that replaces its own. */
export class Data extends Construct {
  readonly tables: Readonly<Record<TableId, ITable>>;
  readonly #props: DataProps;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    this.#props = props;
    // CDK's own types don't agree with each other about optional properties.
    this.tables = Object.fromEntries(
      tableIds.map((table) => [table, this.#restored(table) ?? (this.#create(table) as ITable)]),
    ) as Record<TableId, ITable>;
  }

  #restored(id: TableId): ITable | undefined {
    const tableName = this.#props.stage.restoredTables?.[id];
    if (tableName === undefined) return undefined;
    // The id differs from that of the stack's own table, which leaves the stack.
    return Table.fromTableName(this, `${id}Restored`, tableName);
  }

  #create(id: TableId): Table {
    const { stage, isProtected } = this.#props;
    const { key, indexes = {}, timeToLive } = factsOf(id);
    const [partition, sort] = key;
    const table = new Table(this, id, {
      partitionKey: { name: partition, type: AttributeType.STRING },
      ...(sort !== undefined && { sortKey: { name: sort, type: AttributeType.STRING } }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProtected,
      // A failed creation removes the tables regardless.
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      ...(timeToLive !== undefined && { timeToLiveAttribute: timeToLive }),
    });
    for (const [indexName, [partitionOfIndex, sortOfIndex]] of Object.entries(indexes)) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: partitionOfIndex, type: AttributeType.NUMBER },
        sortKey: { name: sortOfIndex, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    return table;
  }
}
