import type { SessionStatus } from '../../../../schemas/checkout.ts';
import type { Call } from '../../api/client.ts';

/** What is known of a payment. `signedOut`: nobody is signed in whose payment it could be. */
export type Payment =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; signedOut: boolean }
  | { kind: 'read'; status: SessionStatus };

interface Reading {
  call: Call;
  /** Asked for once more after this, in milliseconds, if no user was present; not at all where it is absent. */
  retryAfter?: number | undefined;
  signal: AbortSignal;
}

/** Asks what has become of the payment of a Checkout Session; `sessionId` as it stands in the address. */
export async function readPayment(
  sessionId: string | null,
  { call: ask, retryAfter, signal }: Reading,
): Promise<Payment> {
  if (!sessionId) return { kind: 'failed', message: 'No session ID found', signedOut: false };
  const look = () => ask('session-status', { query: { session_id: sessionId } });
  let answer = await look();
  if (!answer.ok && answer.code === 'not-signed-in' && retryAfter !== undefined) {
    await pause(retryAfter, signal);
    if (!signal.aborted) answer = await look();
  }
  return answer.ok
    ? { kind: 'read', status: answer.value }
    : {
        kind: 'failed',
        message: 'Failed to fetch session status',
        signedOut: answer.code === 'not-signed-in',
      };
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
