import { createClient } from './client.ts';

/** Calls public routes, without loading account code. */
export const callAnonymously = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: {
    accessToken: async () => ({ kind: 'none' }),
    renewedToken: async () => ({ kind: 'none' }),
    signOut: async () => {},
  },
});
