import { createClient } from '../../api/client.ts';
import { accessToken } from '../../session/session-lifecycle.ts';

/** Repeats a lost request. A refused token says that the account is gone, and must not sign out. */
export const callWithoutSignOut = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: { accessToken, renewedToken: async () => ({ kind: 'none' }), signOut: async () => {} },
});
