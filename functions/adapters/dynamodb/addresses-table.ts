import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { conditionHolds, dynamodb } from './client.ts';

/**
 * Which account has proved an e-mail address: by the mailed code, or by a provider that says it is verified.
 * Kept in the Addresses table, since Cognito lets a provider's account have the address of another account.
 * Addresses are compared without regard to case.
 */
export interface Addresses {
  /** The user name of the account. The account may have been deleted since: releasing an address can fail. */
  ownerOf(email: string): Promise<string | undefined>;
  /**
   * Claims the address. True if the account has the address now or had it before. False, and nothing changes,
   * if another account has it. `insteadOf`: an owner that is believed to be gone and may be replaced.
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
