import { createClient } from '../../api/client.ts';
import { accessToken } from '../../session/session-lifecycle.ts';

/**
 * Calls the API to retry a request whose answer was lost. If the account is already deleted, its token is
 * refused; that refusal is a result for the caller, and must not sign the user out as elsewhere.
 */
export const callWithoutSignOut = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: { accessToken, renewedToken: async () => ({ kind: 'none' }), signOut: async () => {} },
});
