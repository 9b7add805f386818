import { randomBytes } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { sha256 } from '../../runtime/sha256.ts';
import { dynamodb } from './client.ts';

// Seconds. A person who reads the mail in the evening can still use it.
const LASTS = 86_400;

/** `email`: the account's address when the link was mailed. */
const ContractLink = z.object({ username: z.string(), email: z.string(), expires_at: z.number() });

/** The links that end a contract, in the table AddressChanges, which removes them after their end. */
export interface ContractLinks {
  /** Resolves with the link's token: 256 random bits, of which the table has a hash. */
  create(link: { username: string; email: string }, now: Date): Promise<string>;
  /** Undefined after a day. */
  read(token: string, now: Date): Promise<{ username: string; email: string } | undefined>;
}

const keyOf = (token: string) => ({ id: `contract/${sha256(token)}` });

export const contractLinks = (table: string): ContractLinks => ({
  async create({ username, email }, now) {
    const token = randomBytes(32).toString('base64url');
    const item: z.infer<typeof ContractLink> = {
      username,
      email,
      expires_at: Math.floor(now.getTime() / 1000) + LASTS,
    };
    await dynamodb.send(new PutCommand({ TableName: table, Item: { ...keyOf(token), ...item } }));
    return token;
  },

  async read(token, now) {
    const { Item } = await dynamodb.send(
      new GetCommand({ TableName: table, Key: keyOf(token), ConsistentRead: true }),
    );
    const link = Item && ContractLink.parse(Item);
    return link && now.getTime() < link.expires_at * 1000 ? link : undefined;
  },
});
