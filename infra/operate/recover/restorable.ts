import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { UserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { holdsAddress } from '../../../functions/domain/account-linking.ts';
import { asciiLowerCase } from '../../../functions/domain/ascii-lower-case.ts';
import { isRemovalMark } from '../../../functions/domain/removal-mark.ts';
import { AddressChange } from '../../../schemas/rows/address-change.ts';
import type { BackedUpUser } from '../../../schemas/rows/user-backup.ts';
import type { Claims } from './claims.ts';

export interface RestorableDependencies {
  dynamodb: DynamoDBDocumentClient;
  pool: Pick<UserPool, 'find'>;
  plansTable: string;
  addressChangesTable: string;
}

type Verdict =
  /** The user as of now, according to the tables. */
  | { kind: 'restore'; user: BackedUpUser }
  /** The account is in the pool, or another account there has its address and all its data. */
  | { kind: 'there' }
  /** The account was deleted after the export. */
  | { kind: 'deleted' }
  | { kind: 'unclear'; reason: string };

/**
 * Whether a user of an export may be restored, and under which address. The export is up to a day older than
 * the tables. In the meantime, the account may have been deleted or locked, or its address changed, and
 * another person may have confirmed the earlier address, who must not get this user's plan.
 */
export async function restorable(
  dependencies: RestorableDependencies,
  { owners, addresses }: Claims,
  user: BackedUpUser,
): Promise<Verdict> {
  // A provider's account has the same user name in a new pool, and another `sub`.
  const present = await dependencies.pool.find(user.username);
  if (present && present.status !== 'EXTERNAL_PROVIDER') return { kind: 'there' };
  const change = await changeOf(dependencies, user.sub);
  const own = addresses.get(user.username) ?? [];
  const email = addressOf(user, own, change?.current);
  if (email === undefined) {
    return { kind: 'unclear', reason: `It has claimed ${own.join(' and ')}: nothing says which it has.` };
  }
  if (own.length === 0) {
    const owner = owners.get(email);
    if (!(await hasRow(dependencies, user.sub))) {
      const account = owner === undefined ? undefined : await dependencies.pool.find(owner);
      return { kind: account && holdsAddress(account, email) ? 'there' : 'deleted' };
    }
    if (owner !== undefined && !isRemovalMark(owner)) {
      return { kind: 'unclear', reason: `Its address now belongs to ${owner}.` };
    }
  }
  const isChanged = asciiLowerCase(user.email) !== email;
  const isLocked = change?.locked === true;
  return {
    kind: 'restore',
    user: {
      ...user,
      email: isChanged ? email : user.email,
      enabled: user.enabled && !isLocked,
      // An account whose address is being changed has no provider, and an undo unlinks the providers it has
      // gained.
      identities: isChanged || isLocked ? [] : user.identities,
    },
  };
}

/** The address in lower case. Undefined if the data about the account is contradictory. */
function addressOf(
  { email }: BackedUpUser,
  own: readonly string[],
  current: string | undefined,
): string | undefined {
  if (own.length === 0) return current ?? asciiLowerCase(email);
  if (current !== undefined) return own.includes(current) ? current : undefined;
  return own.length === 1 ? own[0] : undefined;
}

async function changeOf(
  { dynamodb, addressChangesTable: TableName }: RestorableDependencies,
  id: string,
): Promise<AddressChange | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));
  return Item && AddressChange.parse(Item);
}

async function hasRow(
  { dynamodb, plansTable: TableName }: RestorableDependencies,
  id: string,
): Promise<boolean> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));
  return Item !== undefined;
}
