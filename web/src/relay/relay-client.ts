import type { SiteConfig } from '../../../schemas/config/site-config.ts';
import {
  type AnswerRefusal,
  authorizationAddress,
  beginCodeFlow,
  type CodeFlowClient,
  completeCodeFlow,
  newState,
  readAnswer,
} from '../oauth/code-flow.ts';
import type { CodeRequest } from './app-request.ts';
import { type Granted, MISSING_TOKENS, UNFINISHED } from './outcome.ts';
import type { ProviderKey } from '../../../schemas/product/providers.ts';
import type { RelayCodeFlow, RelayFlow, RelayTokenFlow } from './stored-flow.ts';

/** The dependencies of the relay's user pool client, which tests replace. */
export interface RelaySite {
  config: Pick<SiteConfig, 'signInOrigin' | 'userPoolEndpoint' | 'userPoolId' | 'relayClientId'>;
  /** Origin of this site. */
  site: string;
  /** Exchanges Cognito's code for a short one. A failure is a sentence for the user. */
  shortCode: (
    code: string,
    app: { redirectUri: string; challenge: string },
  ) => Promise<{ ok: true; value: { code: string } } | { ok: false; sentence: string }>;
  fetch?: typeof globalThis.fetch;
}

export interface RelaySignIn {
  provider: ProviderKey;
  redirectUri: string;
  appState: string | null;
  /** @default the app gets tokens in its query */
  codeRequest?: CodeRequest;
  /** Whether this is a retry of the same sign-in. @default false */
  isRetry?: boolean;
}

/** The result of a sign-in. `retry`: the same sign-in must be repeated, and then succeeds. */
export type SignInResult =
  | { kind: 'granted'; granted: Granted }
  | { kind: 'retry' }
  | { kind: 'refused'; message: string };

const CANCELLED = 'The sign-in was canceled.';
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
  { provider, redirectUri, appState, codeRequest, isRetry = false }: RelaySignIn,
  site: RelaySite,
): Promise<{ flow: RelayFlow; address: string }> {
  const client = clientOf(site);
  const common = { provider, redirectUri, appState, again: isRetry };
  if (!codeRequest) {
    const { secrets, address } = await beginCodeFlow(client, provider);
    return { flow: { ...common, ...secrets }, address };
  }
  const state = newState();
  const address = authorizationAddress(client, provider, { state, ...codeRequest });
  return { flow: { ...common, state, codeRequest }, address };
}

/** Exchanges the answer of the hosted domain for what the app asked for. */
export const completeFlow = (
  query: URLSearchParams,
  flow: RelayFlow,
  site: RelaySite,
): Promise<SignInResult> =>
  'codeRequest' in flow ? completeWithCode(query, flow, site) : completeWithTokens(query, flow, site);

/**
 * Passes Cognito's code on. It is bound to the app's challenge, so that this page never has a token. State is
 * checked here, since the code came in the address of a page that anybody can open.
 */
async function completeWithCode(
  query: URLSearchParams,
  flow: RelayCodeFlow,
  site: RelaySite,
): Promise<SignInResult> {
  const answer = readAnswer(clientOf(site), query, flow.state);
  if (answer.kind !== 'answer') return resultOf(answer, flow);
  const code = answer.parameters.get('code');
  if (!code) return refused(FOREIGN_ANSWER);
  const { redirectUri, codeRequest } = flow;
  const short = await site.shortCode(code, { redirectUri, challenge: codeRequest.challenge });
  return short.ok ? { kind: 'granted', granted: { code: short.value.code } } : refused(short.sentence);
}

async function completeWithTokens(
  query: URLSearchParams,
  flow: RelayTokenFlow,
  site: RelaySite,
): Promise<SignInResult> {
  const result = await completeCodeFlow(clientOf(site), query, flow);
  switch (result.kind) {
    case 'tokens': {
      const { access_token, refresh_token } = result.tokens;
      return { kind: 'granted', granted: { access_token, refresh_token } };
    }
    case 'foreign-tokens':
      return refused(FOREIGN_ANSWER);
    case 'missing-tokens':
      return refused(MISSING_TOKENS);
    case 'failed':
      return refused(UNFINISHED);
    default:
      return resultOf(result, flow);
  }
}

function resultOf(refusal: AnswerRefusal, { again }: RelayFlow): SignInResult {
  switch (refusal.kind) {
    case 'account-linked':
      return again ? refused(UNFINISHED) : { kind: 'retry' };
    case 'cancelled':
      return refused(CANCELLED);
    case 'refused':
      return refused(refusal.message || UNFINISHED);
    case 'foreign-answer':
      return refused(FOREIGN_ANSWER);
    default:
      return refused(UNFINISHED);
  }
}

const refused = (message: string): SignInResult => ({ kind: 'refused', message });
