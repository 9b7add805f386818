import { createClient } from '../../api/client.ts';
import { accessToken } from '../../session/session-lifecycle.ts';

/**
 * Repeats a lost request. Our refusal of its token says that the account is gone, and must not sign out. The
 * token isn't renewed, since Cognito's refusal would sign out too.
 */
export const callWithoutSignOut = createClient({
  bearer: { accessToken, renewedToken: async (token) => ({ kind: 'token', token }) },
});
