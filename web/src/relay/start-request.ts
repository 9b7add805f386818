import { isRegistered } from '../../../schemas/config/relay-address.ts';
import { appRequestIn, askedFor, type Registered, repeatedParameterIn } from './app-request.ts';
import {
  CODE_NEEDED,
  failed,
  failedOnPage,
  MISSING_ADDRESS,
  NOT_REGISTERED,
  type Outcome,
  repeatedParameter,
} from './outcome.ts';
import { eitherOf } from '../../../schemas/either-of.ts';
import { isProviderKey, type ProviderKey, providerKeys } from '../../../schemas/product/providers.ts';
import type { RelaySignIn } from './relay-client.ts';

/**
 * Reads `/oauth/start?provider=…&redirect_uri=…&state=…`, with the parameters of the code flow where the app
 * asks for a code. A faulty request is refused before the sign-in. `offered`: the stage's providers.
 */
export function startRequestOf(
  query: URLSearchParams,
  { relayAddresses, legacyAddresses }: Registered,
  offered: readonly ProviderKey[] = providerKeys,
): { kind: 'begin'; signIn: RelaySignIn } | { kind: 'refused'; outcome: Outcome } {
  const name = repeatedParameterIn(query);
  if (name !== null) return { kind: 'refused', outcome: failedOnPage(repeatedParameter(name)) };
  const request = appRequestIn(query);
  const { redirectUri, state } = request;
  const refused = (message: string) =>
    ({ kind: 'refused', outcome: failed(message, request, relayAddresses) }) as const;
  if (redirectUri === null) return refused(MISSING_ADDRESS);
  if (!isRegistered(redirectUri, relayAddresses)) return refused(NOT_REGISTERED);
  const asked = askedFor(query);
  if (asked === 'faulty' || (asked === 'tokens' && !isRegistered(redirectUri, legacyAddresses))) {
    return { kind: 'refused', outcome: failedOnPage(CODE_NEEDED) };
  }
  const provider = query.get('provider');
  if (!isProviderKey(provider) || !offered.includes(provider)) return refused(unknownProvider(offered));
  return {
    kind: 'begin',
    signIn: { provider, redirectUri, appState: state, ...(asked !== 'tokens' && { codeRequest: asked }) },
  };
}

const unknownProvider = (offered: readonly ProviderKey[]): string =>
  offered.length === 0 ? 'There is no provider here.' : `Unknown provider. It is ${eitherOf(offered)}.`;
