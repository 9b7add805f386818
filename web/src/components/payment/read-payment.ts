import type { SessionStatus } from '../../../../schemas/shapes/checkout.ts';
import type { Call } from '../../api/client.ts';

/** `signedOut`: the request failed because no user is signed in. */
export type Payment =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; signedOut: boolean }
  | { kind: 'read'; status: SessionStatus };

interface ReadOptions {
  call: Call;
  /** Milliseconds after which a request without a user is retried once. Absent: no retry. */
  retryAfter?: number | undefined;
  signal: AbortSignal;
}

/** Reads the status of a Checkout Session. `sessionId` comes from the query. */
export async function readPayment(
  sessionId: string | null,
  { call, retryAfter, signal }: ReadOptions,
): Promise<Payment> {
  if (!sessionId) return { kind: 'failed', message: 'No session ID found', signedOut: false };
  const request = () => call('session-status', { query: { session_id: sessionId } });
  let answer = await request();
  if (!answer.ok && answer.code === 'not-signed-in' && retryAfter !== undefined) {
    await pause(retryAfter, signal);
    if (!signal.aborted) answer = await request();
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
