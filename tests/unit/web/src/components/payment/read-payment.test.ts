import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionStatus } from '../../../../../../schemas/shapes/checkout.ts';
import { readPayment } from '../../../../../../web/src/components/payment/read-payment.ts';

const paid: SessionStatus = {
  status: 'complete',
  customer_email: 'ada@example.com',
  subscription_id: 'sub_1',
  customer_id: 'cus_1',
  subscription_status: 'active',
  subscription_current_period_end: 1_767_225_600,
  payment: 'paid',
  refunded: false,
};
type Ask = Parameters<typeof readPayment>[1]['call'];

const known = { ok: true, value: paid } as const;
const signedOut = { ok: false, code: 'not-signed-in', sentence: 'No user logged in' } as const;
const notTheirs = { ok: false, code: 'not-found', sentence: 'There is nothing here by that name.' } as const;

/** A fake API that gives these answers in turn, and records its requests. */
function api(...answers: (typeof known | typeof signedOut | typeof notTheirs)[]) {
  const asked: unknown[] = [];
  const call = (async (...question: unknown[]) => {
    asked.push(question);
    return answers.shift();
  }) as unknown as Ask;
  return { call, asked };
}

const staying = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a payment is read by the session in the query', async () => {
  const { call, asked } = api(known);
  expect(await readPayment('cs_1', { call, signal: staying })).toEqual({ kind: 'read', status: paid });
  expect(asked).toEqual([['session-status', { query: { session_id: 'cs_1' } }]]);
});

test.each([null, ''])('a query with the session %j sends no request', async (sessionId) => {
  const { call, asked } = api();
  expect(await readPayment(sessionId, { call, retryAfter: 2_000, signal: staying })).toEqual({
    kind: 'failed',
    message: 'No session ID found',
    signedOut: false,
  });
  expect(asked).toEqual([]);
});

describe('with a retry', () => {
  const failed = { kind: 'failed', message: 'Failed to fetch session status', signedOut: false };
  test.each([
    ['a user who signs in within two seconds sees the payment', [signedOut, known], { kind: 'read' }, 2],
    ['a request is retried once at the most', [signedOut, signedOut, known], { signedOut: true }, 2],
    ['another failure is not retried, and has the specified sentence', [notTheirs, known], failed, 1],
  ])('%s', async (_, answers, expected, requests) => {
    const { call, asked } = api(...answers);
    const payment = readPayment('cs_1', { call, retryAfter: 2_000, signal: staying });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await payment).toMatchObject(expected);
    expect(asked).toHaveLength(requests);
  });

  test('a page that was left sends no retry', async () => {
    const { call, asked } = api(signedOut, known);
    const leaving = new AbortController();
    const payment = readPayment('cs_1', { call, retryAfter: 2_000, signal: leaving.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    leaving.abort();
    await payment;
    expect(asked).toHaveLength(1);
  });
});
