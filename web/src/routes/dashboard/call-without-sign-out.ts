import { createClient } from '../../api/client.ts';
import { accessToken } from '../../session/session-lifecycle.ts';

/**
 * Calls the API for the retry of a request whose answer got lost. If the account is already deleted, its
 * token is refused; that is a result for the caller, and must not sign the user out as it does elsewhere.
 */
export const callWithoutSignOut = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: { accessToken, renewedToken: async () => ({ kind: 'none' }), signOut: async () => {} },
});
