import { isRegistered } from '../../../schemas/relay-address.ts';
import type { Beginning } from './provider-sign-in.ts';
import { isRelayProvider } from './providers.ts';
import { doubledName, requestOf } from './request.ts';
import { failed, goesNowhere, MISSING_ADDRESS, NOT_REGISTERED, type Outcome, twice } from './way-out.ts';

const UNKNOWN_PROVIDER = 'Unknown provider. It is google or github.';

/** How an app asks for a sign-in: `/oauth/start?provider=…&redirect_uri=…&state=…`. Refused before anybody signs in. */
export function departureOf(
  query: URLSearchParams,
  registered: readonly string[],
): { kind: 'begin'; beginning: Beginning } | { kind: 'refused'; outcome: Outcome } {
  const name = doubledName(query);
  if (name !== null) return { kind: 'refused', outcome: goesNowhere(twice(name)) };
  const request = requestOf(query);
  const { redirectUri, state } = request;
  const refused = (message: string) =>
    ({ kind: 'refused', outcome: failed(message, request, registered) }) as const;
  if (redirectUri === null) return refused(MISSING_ADDRESS);
  if (!isRegistered(redirectUri, registered)) return refused(NOT_REGISTERED);
  const provider = query.get('provider');
  if (!isRelayProvider(provider)) return refused(UNKNOWN_PROVIDER);
  return { kind: 'begin', beginning: { provider, redirectUri, appState: state } };
}
