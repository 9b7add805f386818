import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  type AdminGetUserCommandOutput,
  AdminLinkProviderForUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { BackedUpUser } from '../../schemas/user-backup.ts';

export interface PoolDependencies {
  cognito: CognitoIdentityProviderClient;
  poolId: string;
}

/** How an account is named in the pool. */
export interface PoolAccount {
  sub: string;
  username: string;
}

/**
 * The user's account in the pool: the one that an earlier run has made, or that the user has made meanwhile
 * by signing up again; otherwise a new one. A new account has a password that nobody knows, a verified
 * address, and the providers' accounts of the user. It is always one with a password: Cognito creates a
 * provider's account only at a sign-in, and that sign-in finds this one, to which its identity is linked.
 */
export async function createOrFind(pool: PoolDependencies, user: BackedUpUser): Promise<PoolAccount> {
  const found = (await findVerified(pool, user)) ?? (await create(pool, user));
  const account = accountOf(found);
  if (found.UserStatus === 'FORCE_CHANGE_PASSWORD') {
    // A provider's account is only linked to a confirmed account, and only such an account can be reset.
    const Password = randomBytes(32).toString('base64url');
    await pool.cognito.send(
      new AdminSetUserPasswordCommand({ ...named(pool, account.username), Password, Permanent: true }),
    );
  }
  if (found.UserStatus !== 'EXTERNAL_PROVIDER') await linkAll(pool, found, user);
  if (!user.enabled) await pool.cognito.send(new AdminDisableUserCommand(named(pool, account.username)));
  return account;
}

const named = ({ poolId }: PoolDependencies, username: string) => ({
  UserPoolId: poolId,
  Username: username,
});

const attributeOf = ({ UserAttributes = [] }: AdminGetUserCommandOutput, name: string): string | undefined =>
  UserAttributes.find(({ Name }) => Name === name)?.Value;

const accountOf = (found: AdminGetUserCommandOutput): PoolAccount => ({
  sub: attributeOf(found, 'sub') ?? '',
  username: found.Username ?? '',
});

/** By address, or by the name of a provider's account that its user has signed in to meanwhile. */
async function findVerified(
  pool: PoolDependencies,
  { email, identities }: BackedUpUser,
): Promise<AdminGetUserCommandOutput | undefined> {
  const providerNames = identities.map(({ provider, id }) => `${provider.toLowerCase()}_${id}`);
  for (const name of [email, ...providerNames]) {
    const found = await get(pool, name);
    if (!found) continue;
    // Whoever begins a sign-up proves nothing.
    const isProved = found.UserStatus !== 'UNCONFIRMED' && attributeOf(found, 'email_verified') === 'true';
    if (isProved && attributeOf(found, 'email')?.toLowerCase() === email.toLowerCase()) return found;
    if (name === email) {
      throw new Error('Its address belongs to an account that nobody has confirmed. Delete that first.');
    }
  }
  return undefined;
}

async function get(pool: PoolDependencies, name: string): Promise<AdminGetUserCommandOutput | undefined> {
  try {
    return await pool.cognito.send(new AdminGetUserCommand(named(pool, name)));
  } catch (error) {
    if (error instanceof UserNotFoundException) return undefined;
    throw error;
  }
}

async function create(pool: PoolDependencies, user: BackedUpUser): Promise<AdminGetUserCommandOutput> {
  const attributes = {
    email: user.email,
    email_verified: 'true',
    ...(user.name !== undefined && { name: user.name }),
  };
  try {
    await pool.cognito.send(
      new AdminCreateUserCommand({
        ...named(pool, user.email),
        MessageAction: 'SUPPRESS',
        UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
      }),
    );
  } catch (error) {
    // The SDK repeats a call whose answer was lost.
    if (!(error instanceof UsernameExistsException)) throw error;
  }
  const made = await get(pool, user.email);
  if (!made) throw new Error('Cognito has made the account and does not find it. Repeat the run.');
  return made;
}

/** Links the providers' accounts that the account doesn't have yet. */
async function linkAll(
  pool: PoolDependencies,
  found: AdminGetUserCommandOutput,
  { identities }: BackedUpUser,
): Promise<void> {
  const linked = attributeOf(found, 'identities') ?? '';
  for (const { provider, id } of identities) {
    if (linked.includes(`"${id}"`)) continue;
    await pool.cognito.send(
      new AdminLinkProviderForUserCommand({
        UserPoolId: pool.poolId,
        DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: found.Username ?? '' },
        SourceUser: {
          ProviderName: provider,
          ProviderAttributeName: 'Cognito_Subject',
          ProviderAttributeValue: id,
        },
      }),
    );
  }
}
