import type { SiteConfig } from '../../../schemas/config/site-config.ts';
import { beginCodeFlow, type CodeFlowClient, completeCodeFlow } from '../oauth/code-flow.ts';
import { MISSING_TOKENS, type RelayTokens, UNFINISHED } from './outcome.ts';
import { type ProviderKey, providers } from '../../../schemas/providers.ts';
import type { RelayFlow } from './stored-flow.ts';

/** The dependencies of the relay's user pool client, which tests replace. */
export interface RelaySite {
  config: Pick<SiteConfig, 'signInOrigin' | 'userPoolEndpoint' | 'userPoolId' | 'relayClientId'>;
  /** Origin of this site. */
  site: string;
  fetch?: typeof globalThis.fetch;
}

export interface RelaySignIn {
  provider: ProviderKey;
  redirectUri: string;
  appState: string | null;
  /** Whether this is a retry of the same sign-in. @default false */
  isRetry?: boolean;
}

/** The result of a sign-in. `retry`: the same sign-in must be repeated, and then succeeds. */
export type SignInResult =
  | { kind: 'tokens'; tokens: RelayTokens }
  | { kind: 'retry' }
  | { kind: 'refused'; message: string };

const CANCELLED = 'The sign-in was cancelled.';
const FOREIGN_ANSWER = 'This answer belongs to another sign-in. Please try again.';

const clientOf = ({ config, site, fetch }: RelaySite): CodeFlowClient => ({
  config,
  clientId: config.relayClientId,
  redirectUri: `${site}/oauth/callback`,
  scope: 'openid email profile',
  // The ID token was issued a moment ago, so a day allows for clocks that are set wrong.
  clockTolerance: 86_400,
  ...(fetch && { fetch }),
});

/** Begins a flow to store in the tab, at the address where the user signs in. */
export async function beginFlow(
  { provider, redirectUri, appState, isRetry = false }: RelaySignIn,
  site: RelaySite,
): Promise<{ flow: RelayFlow; address: string }> {
  const { secrets, address } = await beginCodeFlow(clientOf(site), providers[provider]);
  return { flow: { provider, redirectUri, appState, again: isRetry, ...secrets }, address };
}

/** Exchanges the answer of the hosted domain for the app's tokens. */
export async function completeFlow(
  query: URLSearchParams,
  flow: RelayFlow,
  site: RelaySite,
): Promise<SignInResult> {
  const result = await completeCodeFlow(clientOf(site), query, flow);
  switch (result.kind) {
    case 'tokens': {
      const { access_token, refresh_token } = result.tokens;
      return { kind: 'tokens', tokens: { access_token, refresh_token } };
    }
    case 'account-linked':
      return flow.again ? refused(UNFINISHED) : { kind: 'retry' };
    case 'cancelled':
      return refused(CANCELLED);
    case 'refused':
      return refused(result.message || UNFINISHED);
    case 'foreign-answer':
    case 'foreign-tokens':
      return refused(FOREIGN_ANSWER);
    case 'missing-tokens':
      return refused(MISSING_TOKENS);
    default:
      return refused(UNFINISHED);
  }
}

const refused = (message: string): SignInResult => ({ kind: 'refused', message });
