import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { UserPlan } from '../../../schemas/rows/plan.ts';
import type { BackedUpUser } from '../../../schemas/rows/user-backup.ts';
import type { Claims } from './claims.ts';

// The user name of an account with a password, which is its `sub`.
const SUB = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Accounts with a password that were created after the export: those with a confirmed address and a row.
 * Their names are unknown. Accounts of providers aren't included, because their `sub` is unknown.
 */
export async function usersSince(
  { dynamodb, plansTable }: { dynamodb: DynamoDBDocumentClient; plansTable: string },
  { addresses }: Claims,
  exported: readonly BackedUpUser[],
): Promise<BackedUpUser[]> {
  const known = new Set(exported.map(({ username }) => username));
  const found: BackedUpUser[] = [];
  for (const [owner, [email = '']] of addresses) {
    if (known.has(owner) || !SUB.test(owner)) continue;
    const { Item } = await dynamodb.send(new GetCommand({ TableName: plansTable, Key: { id: owner } }));
    // A deleted account may leave a claim behind, but no row.
    if (!Item) continue;
    found.push({
      sub: owner,
      username: owner,
      email,
      email_verified: true,
      // `restorable` finds out whether the account was locked.
      enabled: true,
      created_at: UserPlan.parse(Item).created_at ?? new Date(0).toISOString(),
      identities: [],
    });
  }
  return found;
}
