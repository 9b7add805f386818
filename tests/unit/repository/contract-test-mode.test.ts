import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestModeTarget } from '../../contract/test-mode-target.ts';

let server: Server;
let stripe: Stripe;
/** The requests, as `POST /v1/customers email=…`. */
let asked: string[];
let clock: { frozen_time: number; status: string };

beforeEach(async () => {
  asked = [];
  clock = { frozen_time: 0, status: 'ready' };
  server = createServer((request, response) => {
    void text(request).then((form) => {
      asked.push(`${request.method} ${request.url} ${decodeURIComponent(form)}`.trim());
      const moment = new URLSearchParams(form).get('frozen_time');
      if (moment !== null) clock.frozen_time = Number(moment);
      const isRefused = request.url === '/v1/prices/it' && request.method === 'POST';
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      const error = { type: 'invalid_request_error', message: 'No.' };
      response.end(JSON.stringify(isRefused ? { error } : { id: 'it', product: 'prod_1', ...clock }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const options = {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  } as const;
  stripe = new Stripe('sk_test_unit', options);
});
afterEach(() => {
  server.close();
});

test('customers of test mode are on a test clock, tagged, and removed with the clock', async () => {
  const target = await startTestModeTarget(stripe);
  await target.createCustomer({ email: 'a@example.com', metadata: { user_id: 'u' } });
  await target.close();
  expect(asked.slice(1)).toEqual([
    'POST /v1/customers email=a@example.com&metadata[made_by]=selfsame-contract&metadata[user_id]=u&test_clock=it',
    'DELETE /v1/test_helpers/test_clocks/it',
  ]);
});

test('time moves by the test clock, and is there when the clock is ready', async () => {
  const target = await startTestModeTarget(stripe);
  const before = target.now();
  await target.advance(3_600);
  await target.advance(60);
  expect(target.now() - before).toBe(3_660);
  expect(clock.frozen_time).toBe(before + 3_660);
  expect(asked.at(-1)).toBe('GET /v1/test_helpers/test_clocks/it');
});

test('a test clock that has failed ends the wait', async () => {
  const target = await startTestModeTarget(stripe);
  clock.status = 'internal_failure';
  await expect(target.advance(60)).rejects.toThrow('The test clock has failed.');
});

test('a file that can’t be removed is named, and the rest is removed', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const target = await startTestModeTarget(stripe);
  await target.monthlyPrice();
  await target.close();
  expect(log).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('Left in the account: price it.') as string,
  );
  expect(asked.slice(-3)).toEqual([
    'DELETE /v1/test_helpers/test_clocks/it',
    'POST /v1/prices/it active=false',
    'POST /v1/products/prod_1 active=false',
  ]);
});
