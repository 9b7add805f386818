import { createClient } from './client.ts';

/** Calls public routes. It brings no account code with it. */
export const callAnonymously = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: {
    accessToken: async () => ({ kind: 'none' }),
    renewedToken: async () => ({ kind: 'none' }),
    signOut: async () => {},
  },
});
