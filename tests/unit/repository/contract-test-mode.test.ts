import { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { startTestModeTarget } from '../../contract/test-mode-target.ts';

/** Stripe with a test clock in a state, and the requests to it, as `POST /v1/customers email=…`. */
function stripeWith({ status = 'ready' } = {}) {
  const asked: string[] = [];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method } = request;
    const { pathname } = new URL(request.url);
    asked.push(`${method} ${pathname} ${decodeURIComponent(await request.text())}`.trim());
    const isRefused = pathname === '/v1/prices/it' && method === 'POST';
    const error = { type: 'invalid_request_error', message: 'No.' };
    const made = { id: 'it', product: 'prod_1', frozen_time: 0, status };
    return Response.json(isRefused ? { error } : made, { status: isRefused ? 400 : 200 });
  };
  const httpClient = Stripe.createFetchHttpClient(answer);
  return {
    asked,
    stripe: new Stripe('sk_test_unit', { httpClient, telemetry: false, maxNetworkRetries: 0 }),
  };
}

test('what a run makes in test mode is tagged and removed, and named where it can’t be removed', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { asked, stripe } = stripeWith();
  const target = await startTestModeTarget(stripe);
  await target.createCustomer({ email: 'a@example.com', metadata: { user_id: 'u' } });
  await target.monthlyPrice();
  await target.close();
  expect(asked[1]).toBe(
    'POST /v1/customers email=a@example.com&metadata[made_by]=selfsame-contract&metadata[user_id]=u&test_clock=it',
  );
  expect(asked.slice(-3)).toEqual([
    'DELETE /v1/test_helpers/test_clocks/it',
    'POST /v1/prices/it active=false',
    'POST /v1/products/prod_1 active=false',
  ]);
  expect(log).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('Left in the account: price it.') as string,
  );
});

test('time moves by the test clock, is there when the clock is ready, and stops with a failed clock', async () => {
  const { asked, stripe } = stripeWith();
  const target = await startTestModeTarget(stripe);
  await target.advance(3_600);
  await target.advance(60);
  expect(target.now()).toBe(3_660);
  expect(asked.at(-2)).toMatch(/frozen_time=3660$/);
  expect(asked.at(-1)).toBe('GET /v1/test_helpers/test_clocks/it');
  const failing = await startTestModeTarget(stripeWith({ status: 'internal_failure' }).stripe);
  await expect(failing.advance(60)).rejects.toThrow('The test clock has failed.');
});
