import { type DynamoDBDocumentClient, GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { UserPlan } from '../../schemas/plan.ts';
import type { BackedUpUser } from '../../schemas/user-backup.ts';

const Claim = z.object({ email: z.string(), owner: z.string() });
// The user name of an account with a password, which is its `sub`.
const SUB = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Accounts with a password that were made after the export: those that have proved an address and have a row.
 * Their names aren't known. Of providers' accounts the `sub` isn't known, so they aren't among them.
 */
export async function usersSince(
  {
    dynamodb,
    plansTable,
    addressesTable,
  }: { dynamodb: DynamoDBDocumentClient; plansTable: string; addressesTable: string },
  exported: readonly BackedUpUser[],
): Promise<BackedUpUser[]> {
  const known = new Set(exported.map(({ username }) => username));
  const found: BackedUpUser[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName: addressesTable })) {
    for (const item of Items) {
      const { email, owner } = Claim.parse(item);
      if (known.has(owner) || !SUB.test(owner)) continue;
      const { Item } = await dynamodb.send(new GetCommand({ TableName: plansTable, Key: { id: owner } }));
      // A claim can be left over from an account that was deleted; a row isn't.
      if (!Item) continue;
      const created_at = UserPlan.parse(Item).created_at ?? new Date(0).toISOString();
      found.push({
        sub: owner,
        username: owner,
        email,
        email_verified: true,
        enabled: true,
        created_at,
        identities: [],
      });
    }
  }
  return found;
}
