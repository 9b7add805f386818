import { createClient } from './client.ts';

/** The API, as nobody in particular: nothing of the account code comes with it. */
export const callAnonymously = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: {
    accessToken: async () => ({ kind: 'none' }),
    renewedToken: async () => ({ kind: 'none' }),
    signOut: async () => {},
  },
});
