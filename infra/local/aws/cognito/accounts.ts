import { CognitoError } from './errors.ts';
import type { Parts } from './parts.ts';
import type { UserPool, UserPoolClient } from './pools.ts';
import type { IssuedTokens } from './tokens.ts';
import { subOf, type User } from './users.ts';

export interface ListedUser {
  sub: string;
  username: string;
  email: string;
  /** Empty if the account has none. */
  name: string;
  status: User['status'];
  hasPassword: boolean;
  providers: string[];
  /** ISO 8601, in the local world's time. */
  createdAt: string;
}

/** In the order of sign-up. */
export const listAccounts = ({ users }: Parts, pool: UserPool): ListedUser[] =>
  users.list(pool).map((user) => ({
    sub: subOf(user),
    username: user.username,
    email: user.attributes['email'] ?? '',
    name: user.attributes['name'] ?? '',
    status: user.status,
    hasPassword: user.password !== undefined,
    providers: user.identities.map(({ providerName }) => providerName),
    createdAt: user.createdAt,
  }));

/** A session that a browser starts by storing `storage`. */
export interface BrowserSession {
  /** Entries of the site's local storage, by key. Amplify finds its tokens in them. */
  storage: Record<string, string>;
  /** The path of the site that providers' sign-ins return to. */
  landing: string;
}

/**
 * Signs a user in without password or provider. Users of a provider get hosted tokens, the others those of
 * the API. Undefined if there is no such user. Refuses an unconfirmed address, as Cognito does.
 */
export async function signInAs(
  parts: Parts,
  pool: UserPool,
  sub: string,
): Promise<BrowserSession | undefined> {
  const user = parts.users.list(pool).find((each) => subOf(each) === sub);
  const client = parts.pools.clientsOf(pool).find(signsInByPassword);
  if (!user || !client) return undefined;
  if (user.status === 'UNCONFIRMED') {
    throw new CognitoError('UserNotConfirmedException', 'User is not confirmed.');
  }
  const issued = user.password
    ? await parts.tokens.signIn(client, user)
    : await parts.tokens.redeem(client, user, {
        authTime: Math.floor(parts.clock.now().getTime() / 1000),
        scopes: client.settings.AllowedOAuthScopes,
        nonce: undefined,
      });
  const [callback = '/'] = client.settings.CallbackURLs;
  return {
    storage: storedByAmplify(client, user, issued, parts.clock.now()),
    landing: URL.parse(callback)?.pathname ?? '/',
  };
}

/** Whether a client is the site's. A client without passwords signs users in for other apps. */
const signsInByPassword = ({ settings }: UserPoolClient): boolean =>
  settings.ExplicitAuthFlows.includes('ALLOW_USER_SRP_AUTH');

/** The entries that Amplify stores after a sign-in: `DefaultTokenStore` in `@aws-amplify/auth`. */
function storedByAmplify(
  client: UserPoolClient,
  user: User,
  { accessToken, idToken, refreshToken }: IssuedTokens,
  now: Date,
): Record<string, string> {
  const prefix = `CognitoIdentityServiceProvider.${client.id}`;
  const mine = `${prefix}.${user.username}`;
  return {
    [`${prefix}.LastAuthUser`]: user.username,
    [`${mine}.accessToken`]: accessToken,
    [`${mine}.idToken`]: idToken,
    ...(refreshToken !== undefined && { [`${mine}.refreshToken`]: refreshToken }),
    ...(user.password && {
      [`${mine}.signInDetails`]: JSON.stringify({
        loginId: user.attributes['email'] ?? '',
        authFlowType: 'USER_SRP_AUTH',
      }),
    }),
    // Milliseconds by which Cognito's clock is ahead of the browser's, which keeps the machine's time.
    [`${mine}.clockDrift`]: String(Math.floor(now.getTime() / 1000) * 1000 - Date.now()),
  };
}
