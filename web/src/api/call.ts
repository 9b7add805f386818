import { accessToken, fetchUntilLeft, renewedToken } from '../session/session-lifecycle.ts';
import { signOut } from '../session/sign-out.ts';
import { createClient } from './client.ts';

/** Calls the API as the user who is signed in in this browser. */
export const call = createClient({
  fetch: fetchUntilLeft,
  bearer: { accessToken, renewedToken, signOut },
});
