import * as oauth from 'oauth4webapi';
import * as z from 'zod/mini';
import type { SiteConfig } from '../../../schemas/environment.ts';
import { CANCELLED, isCancelled, JUST_JOINED } from '../session/provider-answer.ts';
import { plainMessage } from '../session/provider-message.ts';
import type { Flow } from './flow.ts';
import { type RelayProvider, relayProviders } from './providers.ts';
import { MISSING_TOKENS, type Tokens, UNFINISHED } from './way-out.ts';

/** Where the relay's own client of Cognito signs people in, and what stands in for the network in tests. */
export interface SignInAt {
  config: Pick<SiteConfig, 'signInOrigin' | 'userPoolEndpoint' | 'userPoolId' | 'relayClientId'>;
  /** Origin of this site. */
  site: string;
  fetch?: typeof globalThis.fetch;
}

export interface Beginning {
  provider: RelayProvider;
  redirectUri: string;
  appState: string | null;
  again?: boolean;
}

/** `again`: nothing is wrong, and the same sign-in works at its second try. */
export type Answer =
  | { kind: 'tokens'; tokens: Tokens }
  | { kind: 'again' }
  | { kind: 'refused'; message: string };

const NOT_OURS = 'This answer belongs to another sign-in. Please try again.';
// Longer than anybody waits for a page that does nothing.
const PATIENCE = 20_000;

const issuerOf = ({ config }: SignInAt): oauth.AuthorizationServer => ({
  issuer: `${config.userPoolEndpoint}/${config.userPoolId}`,
  authorization_endpoint: `${config.signInOrigin}/oauth2/authorize`,
  token_endpoint: `${config.signInOrigin}/oauth2/token`,
});

const clientOf = ({ config }: SignInAt): oauth.Client => ({
  client_id: config.relayClientId,
  // The ID token comes from its issuer this moment. A clock that is a day off is the person's own affair.
  [oauth.clockTolerance]: 86_400,
});

/** The one address that Cognito sends people back to; registered with the relay's client, it can carry no query. */
const callbackOf = ({ site }: SignInAt): string => `${site}/oauth/callback`;

/** A flow to keep in the tab, and the address at which it begins. */
export async function beginning(
  { provider, redirectUri, appState, again = false }: Beginning,
  at: SignInAt,
): Promise<{ flow: Flow; address: string }> {
  const flow: Flow = {
    provider,
    redirectUri,
    appState,
    again,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const address = new URL(`${at.config.signInOrigin}/oauth2/authorize`);
  address.search = new URLSearchParams({
    client_id: at.config.relayClientId,
    redirect_uri: callbackOf(at),
    response_type: 'code',
    scope: 'openid email profile',
    identity_provider: relayProviders[provider],
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  }).toString();
  return { flow, address: address.href };
}

/** What comes of the query that Cognito came back with. */
export async function answerTo(query: URLSearchParams, flow: Flow, at: SignInAt): Promise<Answer> {
  const issuer = issuerOf(at);
  const client = clientOf(at);
  try {
    const parameters = oauth.validateAuthResponse(issuer, client, query, flow.state);
    const response = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      oauth.None(),
      parameters,
      callbackOf(at),
      flow.verifier,
      {
        signal: AbortSignal.timeout(PATIENCE),
        // Where the hosted domain is one of AWS there is no plain http; on one machine there is nothing else.
        [oauth.allowInsecureRequests]: at.config.signInOrigin.startsWith('http:'),
        ...(at.fetch && { [oauth.customFetch]: at.fetch }),
      },
    );
    if (response.ok && !(await hasTokens(response.clone()))) return refused(MISSING_TOKENS);
    const result = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
      expectedNonce: flow.nonce,
      requireIdToken: true,
    });
    return { kind: 'tokens', tokens: HandedOut.parse(result) };
  } catch (error) {
    return refusal(error, flow);
  }
}

const HandedOut = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
});

const hasTokens = async (response: Response): Promise<boolean> =>
  HandedOut.safeParse(await response.json().catch(() => null)).success;

function refusal(error: unknown, flow: Flow): Answer {
  if (error instanceof oauth.AuthorizationResponseError) {
    const description = error.error_description ?? '';
    if (JUST_JOINED.test(description)) return flow.again ? refused(UNFINISHED) : { kind: 'again' };
    if (isCancelled(error.error, description)) return refused(CANCELLED);
    return refused(plainMessage(description) || error.error);
  }
  if (error instanceof oauth.ResponseBodyError) return refused(error.error_description ?? error.error);
  // The state, the nonce, the issuer or the client is another than this flow's.
  if (error instanceof oauth.OperationProcessingError) return refused(NOT_OURS);
  return refused(UNFINISHED);
}

const refused = (message: string): Answer => ({ kind: 'refused', message });
