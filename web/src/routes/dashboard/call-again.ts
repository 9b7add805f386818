import { createClient } from '../../api/client.ts';
import { accessToken } from '../../session/session-lifecycle.ts';

/**
 * The API after an answer got lost. If what was asked for has happened, nobody by this token is known any more; that is an
 * answer too, and must not end the page that waits for it, as it would any other.
 */
export const callAgain = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: { accessToken, renewedToken: async () => ({ kind: 'none' }), signOut: async () => {} },
});
