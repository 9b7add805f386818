import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AddressChange } from '../../../schemas/rows/address-change.ts';
import { conditionHolds, dynamodb } from './client.ts';

/** The AddressChanges table: an item for each account that has changed its address or asked to. */
export interface AddressChangesTable {
  /** A strongly consistent read. */
  read(id: string): Promise<AddressChange | undefined>;
  /** Writes over the previous version. Returns false and changes nothing if another write came first. */
  write(change: AddressChange): Promise<boolean>;
  remove(id: string): Promise<void>;
}

export function addressChangesTable(table: string): AddressChangesTable {
  return {
    async read(id) {
      const { Item } = await dynamodb.send(
        new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }),
      );
      return Item && AddressChange.parse(Item);
    },

    write(change) {
      return conditionHolds(() =>
        dynamodb.send(
          new PutCommand({
            TableName: table,
            Item: change,
            ConditionExpression: 'attribute_not_exists(id) AND :before = :none OR #version = :before',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':before': change.version - 1, ':none': 0 },
          }),
        ),
      );
    },

    async remove(id) {
      await dynamodb.send(new DeleteCommand({ TableName: table, Key: { id } }));
    },
  };
}
