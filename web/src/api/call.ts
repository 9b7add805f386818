import { accessToken, fetchUntilLeft, renewedToken } from '../session/session-lifecycle.ts';
import { signOut } from '../session/sign-out.ts';
import { createClient } from './client.ts';

/** Calls the API as the signed-in user of this browser. */
export const call = createClient({
  fetch: fetchUntilLeft,
  bearer: { accessToken, renewedToken, signOut },
});
