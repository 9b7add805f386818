import { isRegistered } from '../../../schemas/config/relay-address.ts';
import {
  type AppRequest,
  appRequestIn,
  isAnswer,
  type Registered,
  repeatedParameterIn,
} from './app-request.ts';
import {
  failed,
  failedOnPage,
  MISSING_ADDRESS,
  NO_SESSION,
  NOT_REGISTERED,
  type Outcome,
  repeatedParameter,
  succeeded,
} from './outcome.ts';
import type { SignInResult } from './relay-client.ts';
import type { RelayFlow } from './stored-flow.ts';

/** How `/oauth/callback` was opened: repeated parameters, without a flow of this tab, or its answer. */
export type Callback =
  | { kind: 'repeated-parameter'; name: string; request: AppRequest }
  | { kind: 'without-flow'; request: AppRequest; message: string }
  | { kind: 'answered'; query: URLSearchParams; flow: RelayFlow; request: AppRequest };

const NO_REQUEST: AppRequest = { redirectUri: null, state: null };

export function callbackOf(query: URLSearchParams, flow: RelayFlow | null): Callback {
  const name = repeatedParameterIn(query);
  if (name !== null) return { kind: 'repeated-parameter', name, request: NO_REQUEST };
  if (isAnswer(query)) {
    return flow
      ? { kind: 'answered', query, flow, request: { redirectUri: flow.redirectUri, state: flow.appState } }
      : { kind: 'without-flow', request: NO_REQUEST, message: NO_SESSION };
  }
  const request = appRequestIn(query);
  const message = request.redirectUri === null ? MISSING_ADDRESS : NO_SESSION;
  return { kind: 'without-flow', request, message };
}

interface SignInSteps {
  complete: (query: URLSearchParams, flow: RelayFlow) => Promise<SignInResult>;
  /** Resolves with the address at which to repeat the same sign-in. */
  retry: (flow: RelayFlow) => Promise<string>;
}

/** Finds the outcome of a callback. Calls `complete` only if the result has a registered address to go to. */
export async function outcomeOf(
  callback: Callback,
  { relayAddresses, legacyAddresses }: Registered,
  { complete, retry }: SignInSteps,
): Promise<Outcome> {
  if (callback.kind === 'repeated-parameter') return failedOnPage(repeatedParameter(callback.name));
  if (callback.kind === 'without-flow') return failed(callback.message, callback.request, relayAddresses);
  const { query, flow, request } = callback;
  if (!isRegistered(flow.redirectUri, 'codeRequest' in flow ? relayAddresses : legacyAddresses)) {
    return failedOnPage(NOT_REGISTERED);
  }
  const result = await complete(query, flow);
  if (result.kind === 'refused') return failed(result.message, request, relayAddresses);
  if (result.kind === 'retry') return { kind: 'provider', to: await retry(flow), linked: flow.provider };
  return succeeded(flow.redirectUri, result.granted, flow.appState);
}
