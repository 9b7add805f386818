import { createClient } from '../api/client.ts';
import { within } from '../session/within.ts';
import { signOutAndLeave } from '../session/sign-out.ts';

// Milliseconds that a sign-out waits for our API.
const PATIENCE = 2_000;

/**
 * Signs out as `signOutAndLeave` does, and tells our API before the tokens are revoked. If that fails, the
 * browser stays in the list of sessions.
 */
export const signOutHere = (from: string | null): Promise<boolean> =>
  signOutAndLeave({
    from,
    beforeRevoking: (token) => within(PATIENCE, endSession(token)).catch(() => undefined),
  });

/** The token isn't stored anymore, so the call neither renews it nor signs out. */
function endSession(token: string) {
  const call = createClient({ bearer: { accessToken: async () => ({ kind: 'token', token }) } });
  return call('end-session', { body: { session: 'this' } });
}
