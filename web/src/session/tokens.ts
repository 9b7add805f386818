import { Amplify } from 'aws-amplify';
import * as cognito from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import * as z from 'zod/mini';
import { siteConfig } from '../pages/site-config.ts';
import { providerInUserName } from '../../../schemas/product/providers.ts';
import { forgetUser, rememberedUser } from './browser-storage.ts';
import type { User } from './session.ts';
import { withTokenLock } from './token-lock.ts';
import { once } from './within.ts';

export type StoredTokens = NonNullable<
  Awaited<ReturnType<typeof cognitoUserPoolsTokenProvider.authTokenStore.loadTokens>>
>;

const IdToken = z.object({
  sub: z.string(),
  email: z.string(),
  name: z.optional(z.string()),
  'cognito:username': z.string(),
});
// `auth_time` in Unix seconds.
const AccessTokenClaims = z.object({ auth_time: z.number(), scope: z.string() });
// `iat` in Unix seconds.
const IssuedClaims = z.object({ username: z.string(), iat: z.number() });

/** Configures Amplify with the site's user pool. Rejects without config.json; the next call retries. */
export const configureAmplify = once(async () => {
  const { userPoolId, userPoolClientId, userPoolEndpoint } = await siteConfig();
  // Amplify derives AWS's endpoint itself, and warns in the console about an explicit endpoint.
  const derived = `https://cognito-idp.${userPoolId.split('_')[0]}.amazonaws.com`;
  const endpoint = userPoolEndpoint === derived ? {} : { userPoolEndpoint };
  Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, ...endpoint } } });
});

// Amplify listens to other tabs as soon as it is imported, and reports an error if it isn't configured yet.
// Whoever needs the configuration tries again.
configureAmplify().catch(() => undefined);

export const storedTokens = (): Promise<StoredTokens | null> =>
  cognitoUserPoolsTokenProvider.authTokenStore.loadTokens();

/** The stored tokens. Waits for the lock only while they are incomplete, as another tab stores them. */
export async function readTokens(): Promise<StoredTokens | null> {
  const tokens = await storedTokens();
  const isComplete = tokens?.idToken && tokens.refreshToken;
  return isComplete || rememberedUser() === null ? tokens : withTokenLock(storedTokens);
}

/** Stores tokens in place of any others. The caller holds the lock. */
export async function storeTokens(tokens: StoredTokens): Promise<void> {
  const before = rememberedUser();
  await cognitoUserPoolsTokenProvider.authTokenStore.storeTokens(tokens);
  // Only now, since another tab that finds no user clears the storage.
  if (before !== null && before !== tokens.username) forgetUser(before);
}

/** Stores tokens in place of `before`, unless the user has signed out meanwhile, here or in another tab. */
export async function replaceTokens(before: StoredTokens, tokens: StoredTokens): Promise<boolean> {
  if ((await storedTokens())?.refreshToken !== before.refreshToken) return false;
  await storeTokens(tokens);
  return true;
}

export const clearTokens = (): Promise<void> => cognitoUserPoolsTokenProvider.authTokenStore.clearTokens();

/** Milliseconds until the access token expires, by the issuer's clock, whose difference Amplify stores. */
export function remainingLife({ accessToken, clockDrift }: StoredTokens): number {
  return (accessToken.payload.exp ?? 0) * 1000 - (Date.now() + (clockDrift ?? 0));
}

/** The user whom the tokens name; null if a claim is missing. */
export function userOf({ idToken, accessToken }: StoredTokens): User | null {
  const identity = IdToken.safeParse(idToken?.payload);
  const access = AccessTokenClaims.safeParse(accessToken.payload);
  if (!identity.success || !access.success) return null;
  const { sub, email, name, 'cognito:username': userName } = identity.data;
  return {
    id: sub,
    email,
    name: name?.trim() || null,
    // Cognito names an account with a password after its `sub`, and others after their provider.
    hasPassword: userName === sub,
    provider: providerInUserName(userName) ?? null,
    signedInAt: new Date(access.data.auth_time * 1000),
  };
}

/** Whether the session began at the hosted domain. Tokens for a password have no `openid` scope. */
export function isFromProvider(tokens: StoredTokens | null): boolean {
  const access = AccessTokenClaims.safeParse(tokens?.accessToken.payload);
  return access.success && access.data.scope.split(' ').includes('openid');
}

/** Tokens from the token endpoint, in the form in which Amplify stores them. */
export function decodeTokens(issued: {
  access_token: string;
  id_token: string;
  refresh_token: string;
}): StoredTokens {
  const accessToken = cognito.decodeJWT(issued.access_token);
  const { username, iat } = IssuedClaims.parse(accessToken.payload);
  return {
    accessToken,
    idToken: cognito.decodeJWT(issued.id_token),
    refreshToken: issued.refresh_token,
    clockDrift: iat * 1000 - Date.now(),
    username,
  };
}
