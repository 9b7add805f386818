import { call } from '../api/call.ts';
import { signOutAndLeave } from '../session/sign-out.ts';

// Milliseconds that a sign-out waits for our API.
const PATIENCE = 2_000;

/**
 * Signs out as `signOutAndLeave` does, and tells our API before. If that fails, the browser stays in the list
 * of sessions.
 */
export async function signOutHere(from: string | null): Promise<void> {
  await Promise.race([
    call('end-session', { body: { session: 'this' } }),
    new Promise((resolve) => {
      setTimeout(resolve, PATIENCE);
    }),
  ]);
  await signOutAndLeave(from);
}
