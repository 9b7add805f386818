import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  type OwnershipDependencies,
  removeUnconfirmed,
} from '../../../functions/accounts/address-ownership.ts';
import type { UserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import {
  type Account,
  holdsAddress,
  identityOf,
  isUnconfirmed,
} from '../../../functions/domain/account-linking.ts';
import type { BackedUpUser } from '../../../schemas/rows/user-backup.ts';

export interface PoolDependencies extends OwnershipDependencies {
  cognito: CognitoIdentityProviderClient;
  poolId: string;
  pool: Pick<UserPool, 'find' | 'link' | 'remove'>;
}

/** An account's names in the pool. */
export interface AccountNames {
  sub: string;
  username: string;
}

/**
 * The user's account in the pool. The account may be from an earlier run, or the user may have signed up
 * again; otherwise a new account is created. A new account has a password that nobody knows, a verified
 * address, and the user's accounts at providers. New accounts always have a password: Cognito creates a
 * provider's account only at a sign-in, and this sign-in finds the new account, to which the identity is
 * linked.
 */
export async function createOrFind(
  dependencies: PoolDependencies,
  user: BackedUpUser,
): Promise<AccountNames> {
  const { cognito, pool } = dependencies;
  const account = (await findVerified(dependencies, user)) ?? (await create(dependencies, user));
  const name = named(dependencies, account.username);
  if (account.status === 'FORCE_CHANGE_PASSWORD') {
    // Only a confirmed account can be linked to a provider's account, and can get a new password.
    const Password = randomBytes(32).toString('base64url');
    await cognito.send(new AdminSetUserPasswordCommand({ ...name, Password, Permanent: true }));
  }
  if (account.status !== 'EXTERNAL_PROVIDER') {
    for (const identity of user.identities.flatMap(
      ({ provider, id }) => identityOf(`${provider}_${id}`) ?? [],
    )) {
      await pool.link(identity, account);
    }
  }
  if (!user.enabled) await cognito.send(new AdminDisableUserCommand(name));
  return { sub: await subOf(dependencies, account), username: account.username };
}

const named = ({ poolId }: PoolDependencies, username: string) => ({
  UserPoolId: poolId,
  Username: username,
});

/** The user name of an account with a password is its `sub`. */
async function subOf(dependencies: PoolDependencies, { username, status }: Account): Promise<string> {
  if (status !== 'EXTERNAL_PROVIDER') return username;
  const { UserAttributes = [] } = await dependencies.cognito.send(
    new AdminGetUserCommand(named(dependencies, username)),
  );
  const sub = UserAttributes.find(({ Name }) => Name === 'sub')?.Value;
  if (sub === undefined) throw new Error(`Cognito names no sub of ${username}.`);
  return sub;
}

/** By address, or by the name of a provider's account that the user has signed in with in the meantime. */
async function findVerified(
  dependencies: PoolDependencies,
  { email, identities }: BackedUpUser,
): Promise<Account | undefined> {
  const { pool } = dependencies;
  const providerNames = identities.map(({ provider, id }) => `${provider.toLowerCase()}_${id}`);
  for (const name of [email, ...providerNames]) {
    const found = await pool.find(name);
    if (!found) continue;
    if (holdsAddress(found, email)) return found;
    if (name !== email) continue;
    // A sign-up that was never confirmed proves nothing, and blocks nobody.
    if (isUnconfirmed(found, email) && (await removeUnconfirmed(dependencies, found))) continue;
    throw new Error(`Its address belongs to the account ${found.username}, which has not confirmed it.`);
  }
  return undefined;
}

async function create(dependencies: PoolDependencies, user: BackedUpUser): Promise<Account> {
  const attributes = {
    email: user.email,
    email_verified: 'true',
    ...(user.name !== undefined && { name: user.name }),
  };
  try {
    await dependencies.cognito.send(
      new AdminCreateUserCommand({
        ...named(dependencies, user.email),
        MessageAction: 'SUPPRESS',
        UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
      }),
    );
  } catch (error) {
    // The SDK repeats a call whose answer was lost.
    if (!(error instanceof UsernameExistsException)) throw error;
  }
  const made = await dependencies.pool.find(user.email);
  if (!made || !holdsAddress(made, user.email)) {
    throw new Error('Cognito has created the account and does not find it. Repeat the run.');
  }
  return made;
}
