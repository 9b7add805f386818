import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { conditionHolds, dynamodb } from './client.ts';

/**
 * Which account has proved an e-mail address: by the mailed code, or by a provider that says it is verified.
 * Kept in the Addresses table, since Cognito lets a provider's account have the address of another account.
 * Capitals of an address make no difference.
 */
export interface Addresses {
  /** The user name of the account. It may have been deleted since: releasing an address can fail. */
  ownerOf(email: string): Promise<string | undefined>;
  /**
   * False if another account has the address; nothing is changed then. True if this account has it already.
   * `insteadOf`: an owner that is taken to be gone, and that may be replaced.
   */
  claim(email: string, username: string, insteadOf?: string): Promise<boolean>;
  /** Does nothing if another account has the address. */
  release(email: string, username: string): Promise<void>;
}

const AddressItem = z.object({ owner: z.string() });

const keyOf = (email: string) => ({ email: asciiLowerCase(email) });

export function addressesTable(table: string): Addresses {
  return {
    async ownerOf(email) {
      const { Item } = await dynamodb.send(
        new GetCommand({ TableName: table, Key: keyOf(email), ConsistentRead: true }),
      );
      return Item && AddressItem.parse(Item).owner;
    },

    claim(email, username, insteadOf = username) {
      const item: z.infer<typeof AddressItem> = { owner: username };
      return conditionHolds(() =>
        dynamodb.send(
          new PutCommand({
            TableName: table,
            Item: { ...keyOf(email), ...item },
            ConditionExpression: 'attribute_not_exists(email) OR #owner IN (:username, :insteadOf)',
            // `owner` is a reserved word.
            ExpressionAttributeNames: { '#owner': 'owner' },
            ExpressionAttributeValues: { ':username': username, ':insteadOf': insteadOf },
          }),
        ),
      );
    },

    async release(email, username) {
      await conditionHolds(() =>
        dynamodb.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf(email),
            ConditionExpression: '#owner = :username',
            ExpressionAttributeNames: { '#owner': 'owner' },
            ExpressionAttributeValues: { ':username': username },
          }),
        ),
      );
    },
  };
}
