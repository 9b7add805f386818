import { accessToken, renewedToken, signOut } from '../session/account.ts';
import { createClient } from './client.ts';

/** The API, as whoever is signed in in this browser. */
export const call = createClient({
  fetch: (url, init) => fetch(url, init),
  bearer: { accessToken, renewedToken, signOut },
});
