import { isRegistered } from '../../../schemas/relay-address.ts';
import { appRequestIn, repeatedParameterIn } from './app-request.ts';
import {
  failed,
  failedOnPage,
  MISSING_ADDRESS,
  NOT_REGISTERED,
  type Outcome,
  repeatedParameter,
} from './outcome.ts';
import { eitherOf, isProviderKey, providerKeys } from '../../../schemas/providers.ts';
import type { RelaySignIn } from './relay-client.ts';

const UNKNOWN_PROVIDER = `Unknown provider. It is ${eitherOf(providerKeys)}.`;

/** Reads `/oauth/start?provider=…&redirect_uri=…&state=…`. A faulty request is refused before the sign-in. */
export function startRequestOf(
  query: URLSearchParams,
  registered: readonly string[],
): { kind: 'begin'; signIn: RelaySignIn } | { kind: 'refused'; outcome: Outcome } {
  const name = repeatedParameterIn(query);
  if (name !== null) return { kind: 'refused', outcome: failedOnPage(repeatedParameter(name)) };
  const request = appRequestIn(query);
  const { redirectUri, state } = request;
  const refused = (message: string) =>
    ({ kind: 'refused', outcome: failed(message, request, registered) }) as const;
  if (redirectUri === null) return refused(MISSING_ADDRESS);
  if (!isRegistered(redirectUri, registered)) return refused(NOT_REGISTERED);
  const provider = query.get('provider');
  if (!isProviderKey(provider)) return refused(UNKNOWN_PROVIDER);
  return { kind: 'begin', signIn: { provider, redirectUri, appState: state } };
}
