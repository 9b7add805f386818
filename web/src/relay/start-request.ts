import { isRegistered } from '../../../schemas/config/relay-address.ts';
import { appRequestIn, repeatedParameterIn } from './app-request.ts';
import {
  failed,
  failedOnPage,
  MISSING_ADDRESS,
  NOT_REGISTERED,
  type Outcome,
  repeatedParameter,
} from './outcome.ts';
import { eitherOf, isProviderKey, type ProviderKey, providerKeys } from '../../../schemas/providers.ts';
import type { RelaySignIn } from './relay-client.ts';

/**
 * Reads `/oauth/start?provider=…&redirect_uri=…&state=…`. A faulty request is refused before the sign-in.
 * `offered`: the stage's providers.
 */
export function startRequestOf(
  query: URLSearchParams,
  registered: readonly string[],
  offered: readonly ProviderKey[] = providerKeys,
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
  if (!isProviderKey(provider) || !offered.includes(provider)) return refused(unknownProvider(offered));
  return { kind: 'begin', signIn: { provider, redirectUri, appState: state } };
}

const unknownProvider = (offered: readonly ProviderKey[]): string =>
  offered.length === 0 ? 'There is no provider here.' : `Unknown provider. It is ${eitherOf(offered)}.`;
