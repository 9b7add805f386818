import { checkAttributes, checkEmailFree } from '../attributes.ts';
import type { Parts } from '../parts.ts';
import type { UserPool, UserPoolClient } from '../pools.ts';
import { federatedName, type User, userIdFrom } from '../users.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { OAuthError } from './oauth-error.ts';
import type { Profile } from './provider-client.ts';

/** Returns the user of a provider's account, or creates it. Attributes follow the provider's claims. */
export async function federatedSignIn(
  parts: Parts,
  client: UserPoolClient,
  provider: IdentityProvider,
  profile: Profile,
): Promise<User> {
  const { pool } = client;
  const attributes = mappedAttributes(provider, profile);
  checkAttributes(pool, 'administrator', attributes);
  checkMapped(client, attributes);
  const known = parts.users.byIdentity(pool, { providerName: provider.name, userId: profile.id });
  return known
    ? updateUser(parts, pool, known, attributes)
    : await createUser(parts, client, provider, profile.id, attributes);
}

/**
 * Refuses a sign-in if the client may not write a mapped attribute ("Amazon Cognito throws an error when it
 * tries to update the attribute", reference of WriteAttributes). `email_verified` is an exception: no client
 * may write it, and Cognito does.
 */
function checkMapped({ settings }: UserPoolClient, attributes: Record<string, string>): void {
  const { WriteAttributes } = settings;
  const refused = Object.keys(attributes).find(
    (name) => name !== 'email_verified' && WriteAttributes && !WriteAttributes.includes(name),
  );
  if (refused !== undefined) {
    throw new OAuthError('invalid_request', `user.${refused}: Attribute cannot be updated.`);
  }
}

/**
 * Overwrites a linked user's attributes too: "Amazon Cognito updates mapped attributes when users sign in to
 * your application through an identity provider" (reference of SchemaAttributeType, `Mutable`).
 */
function updateUser(
  { clock, users }: Parts,
  pool: UserPool,
  known: User,
  attributes: Record<string, string>,
): User {
  const email = attributes['email'];
  if (email !== undefined && known.status !== 'EXTERNAL_PROVIDER') checkEmailFree(users, pool, known, email);
  const user: User = {
    ...known,
    attributes: { ...known.attributes, ...attributes },
    modifiedAt: clock.now().toISOString(),
  };
  users.put(user);
  return user;
}

async function createUser(
  { clock, triggers, users }: Parts,
  client: UserPoolClient,
  { name: providerName, type: providerType }: IdentityProvider,
  userId: string,
  attributes: Record<string, string>,
): Promise<User> {
  const { pool } = client;
  const username = federatedName({ providerName, userId });
  const missing = pool.settings.Schema.filter(({ Name, Required }) => Required && !attributes[Name]);
  if (missing.length > 0) {
    const names = missing.map(({ Name }) => Name).join(', ');
    throw new OAuthError('invalid_request', `attributes required: [${names}]`);
  }
  await triggers.preSignUp('PreSignUp_ExternalProvider', {
    pool,
    clientId: client.id,
    username,
    metadata: undefined,
    attributes: { ...attributes, 'cognito:email_alias': '', 'cognito:phone_number_alias': '' },
    validationData: {},
  });
  // If the trigger has linked the account, it now belongs to the linked user.
  if (users.byIdentity(pool, { providerName, userId })) {
    throw new OAuthError('invalid_request', `Already found an entry for username ${username}`);
  }
  const now = clock.now();
  const user: User = {
    poolId: pool.id,
    username,
    status: 'EXTERNAL_PROVIDER',
    attributes: { sub: userIdFrom(), email_verified: 'false', ...attributes },
    identities: [
      { userId, providerName, providerType, issuer: null, primary: true, dateCreated: now.getTime() },
    ],
    createdAt: now.toISOString(),
    modifiedAt: now.toISOString(),
  };
  users.put(user);
  await triggers.postConfirmation({ client, user, metadata: undefined });
  return user;
}

/** The provider's claims under the pool's names. An address counts as verified only if a claim says so. */
function mappedAttributes({ mapping }: IdentityProvider, { claims }: Profile): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [attribute, claim] of Object.entries(mapping)) {
    const value = claims[claim];
    if (value === undefined || value === null) continue;
    attributes[attribute] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return 'email' in attributes ? { email_verified: 'false', ...attributes } : attributes;
}
