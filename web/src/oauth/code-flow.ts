import * as oauth from 'oauth4webapi';
import * as z from 'zod/mini';
import type { SiteConfig } from '../../../schemas/config/site-config.ts';
import { providerSentence } from './cognito-message.ts';
import { type ProviderKey, providerKeys, providers } from '../../../schemas/product/providers.ts';

/*
 * The authorization code flow with PKCE (RFC 6749, RFC 7636) at the user pool's hosted domain. The site's own
 * sign-in and the relay both use it, each with its own client of the user pool.
 */

/** A client of the user pool, and the parts that tests replace. */
export interface CodeFlowClient {
  config: Pick<SiteConfig, 'signInOrigin' | 'userPoolEndpoint' | 'userPoolId'>;
  clientId: string;
  /** The registered address. Cognito accepts no other, character by character. */
  redirectUri: string;
  scope: string;
  /** The tolerance for the browser's clock, in seconds, when the ID token's expiry is checked. */
  clockTolerance: number;
  fetch?: typeof globalThis.fetch;
}

/** Ties the answer to the tab (`state`), the tokens to the flow (`nonce`), the code to its sender. */
export const FlowSecrets = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type FlowSecrets = z.infer<typeof FlowSecrets>;

const Tokens = z.object({
  access_token: z.string().check(z.minLength(1)),
  id_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
});
export type Tokens = z.infer<typeof Tokens>;

export type FlowResult =
  | { kind: 'tokens'; tokens: Tokens }
  /** The token endpoint didn't accept the code, or gave no usable answer. */
  | { kind: 'failed' }
  /** The answer has no code, or its tokens have another nonce, issuer or audience. */
  | { kind: 'foreign-tokens' }
  | { kind: 'missing-tokens' }
  | AnswerRefusal;

/** The reasons why an answer of the hosted domain can't be exchanged. */
export type AnswerRefusal =
  /** Our trigger has linked the profile to an account, which fails the sign-in. The second try works. */
  | { kind: 'account-linked' }
  /** The user canceled at the provider. */
  | { kind: 'cancelled' }
  /** The provider or Cognito answered with an error. `message` is for the user, and may be empty. */
  | { kind: 'refused'; message: string }
  /** The answer has another state, or is malformed. Nothing in it can be trusted, nor its message. */
  | { kind: 'foreign-answer' };

// Text of Cognito's message; the rest names the account.
const ACCOUNT_LINKED = /already found an entry for username/i;
// Cognito's codes are valid for five minutes, but no user waits that long.
const TOKEN_TIMEOUT = 20_000;

/** Makes new secrets to keep in the tab, and the address at which the user signs in with the provider. */
export async function beginCodeFlow(
  client: CodeFlowClient,
  provider: ProviderKey,
): Promise<{ secrets: FlowSecrets; address: string }> {
  const state = newState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const address = authorizationAddress(client, provider, { state, nonce, challenge, scope: client.scope });
  return { secrets: { state, nonce, verifier }, address };
}

export const newState = oauth.generateRandomState;

/** The address at which the user signs in with the provider. `challenge`: of the method S256. */
export function authorizationAddress(
  { clientId, redirectUri, config }: Omit<CodeFlowClient, 'scope'>,
  provider: ProviderKey,
  asked: { state: string; challenge: string; scope: string; nonce: string | null },
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: asked.scope,
    identity_provider: providers[provider].poolName,
    state: asked.state,
    ...(asked.nonce !== null && { nonce: asked.nonce }),
    code_challenge: asked.challenge,
    code_challenge_method: 'S256',
  });
  return `${config.signInOrigin}/oauth2/authorize?${query.toString()}`;
}

/** Checks the query that Cognito redirected back with. Doesn't throw. */
export function readAnswer(
  client: Omit<CodeFlowClient, 'scope'>,
  query: URLSearchParams,
  state: string,
): { kind: 'answer'; parameters: URLSearchParams } | AnswerRefusal {
  try {
    const parameters = oauth.validateAuthResponse(issuerOf(client), oauthClientOf(client), query, state);
    return { kind: 'answer', parameters };
  } catch (error) {
    return error instanceof oauth.AuthorizationResponseError ? refusal(error) : { kind: 'foreign-answer' };
  }
}

/** Checks the query that Cognito redirected back with, and exchanges its code for tokens. Doesn't throw. */
export async function completeCodeFlow(
  client: CodeFlowClient,
  query: URLSearchParams,
  secrets: FlowSecrets,
): Promise<FlowResult> {
  const answer = readAnswer(client, query, secrets.state);
  if (answer.kind !== 'answer') return answer;
  const issuer = issuerOf(client);
  const oauthClient = oauthClientOf(client);
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      issuer,
      oauthClient,
      oauth.None(),
      answer.parameters,
      client.redirectUri,
      secrets.verifier,
      {
        signal: AbortSignal.timeout(TOKEN_TIMEOUT),
        // AWS serves the hosted domain by https only. The local world serves http.
        [oauth.allowInsecureRequests]: client.config.signInOrigin.startsWith('http:'),
        ...(client.fetch && { [oauth.customFetch]: client.fetch }),
      },
    );
    if (response.ok && !(await hasTokens(response.clone()))) return { kind: 'missing-tokens' };
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, oauthClient, response, {
      expectedNonce: secrets.nonce,
      requireIdToken: true,
    });
    return { kind: 'tokens', tokens: Tokens.parse(tokens) };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      // Cognito puts the message of a trigger that refuses tokens in the place of the error code.
      const message = providerSentence(error.error);
      return message === '' ? { kind: 'failed' } : { kind: 'refused', message };
    }
    return { kind: error instanceof oauth.OperationProcessingError ? 'foreign-tokens' : 'failed' };
  }
}

const oauthClientOf = ({
  clientId,
  clockTolerance,
}: Pick<CodeFlowClient, 'clientId' | 'clockTolerance'>): oauth.Client => ({
  client_id: clientId,
  [oauth.clockTolerance]: clockTolerance,
});

const issuerOf = ({ config }: Pick<CodeFlowClient, 'config'>): oauth.AuthorizationServer => ({
  issuer: `${config.userPoolEndpoint}/${config.userPoolId}`,
  authorization_endpoint: `${config.signInOrigin}/oauth2/authorize`,
  token_endpoint: `${config.signInOrigin}/oauth2/token`,
});

const hasTokens = async (response: Response): Promise<boolean> =>
  Tokens.safeParse(await response.json().catch(() => null)).success;

function refusal({
  error,
  error_description: description = '',
}: oauth.AuthorizationResponseError): AnswerRefusal {
  if (ACCOUNT_LINKED.test(description)) return { kind: 'account-linked' };
  if (isCancelled(error, description)) return { kind: 'cancelled' };
  return { kind: 'refused', message: providerSentence(description) };
}

// A provider that refuses the user adds its reason to the bare code.
const isCancelled = (error: string, description: string): boolean => {
  const code = description.replace(/^\w+ Error - \d{3} /, '').trim();
  return error === 'access_denied' || providerKeys.some((key) => providers[key].cancelled === code);
};
