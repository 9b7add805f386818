import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CLIENT_OPTIONS } from '../../../../functions/adapters/stripe/connection.ts';

// API Gateway's limit, which the routes' functions end one second before.
const ROUTE = 29_000;
const POOL = 'us-east-1_AbC';

// A server that accepts connections and never answers.
const server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
const sockets = new Set<Socket>();
let port: number;

// Adapters keep their clients, and test files share adapters.
beforeAll(async () => {
  vi.resetModules();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.resetModules();
  vi.unstubAllEnvs();
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** The error of a call, and the milliseconds that it takes on a clock that is moved. */
async function failureOf(call: () => Promise<unknown>): Promise<{ error: unknown; after: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const errors: unknown[] = [];
    void call().then(
      () => errors.push(undefined),
      (error: unknown) => errors.push(error),
    );
    let after = 0;
    while (errors.length === 0 && after < 10 * 60_000) {
      await setImmediate();
      // No timer runs while the client's modules are loaded, which takes no time on this clock.
      if (vi.getTimerCount() === 0) continue;
      vi.advanceTimersByTime(50);
      after += 50;
    }
    return { error: errors[0], after };
  } finally {
    vi.useRealTimers();
  }
}

test.each<[string, () => Promise<unknown>]>([
  [
    'DynamoDB',
    async () =>
      (await import('../../../../functions/adapters/dynamodb/waitlist-table.ts'))
        .waitlistTable('Waitlist')
        .entryOf('ada@example.com'),
  ],
  [
    'Cognito about a session',
    async () =>
      (await import('../../../../functions/adapters/cognito/session-user.ts'))
        .cognitoSessionUser()
        .account('token'),
  ],
  [
    'Cognito about an address',
    async () =>
      (await import('../../../../functions/adapters/cognito/account-pool.ts'))
        .cognitoAccountPool(POOL)
        .setAddress('ada', 'ada@example.com'),
  ],
  [
    'Cognito about an account',
    async () =>
      (await import('../../../../functions/adapters/cognito/user-pool.ts')).cognitoUserPool(POOL).find('ada'),
  ],
  [
    'Cognito about a list',
    async () => {
      const { cognitoUserList } = await import('../../../../functions/adapters/cognito/user-list.ts');
      for await (const page of cognitoUserList(POOL).subs()) expect(page).toBeUndefined();
    },
  ],
  ['KMS', async () => (await import('../../../../functions/adapters/kms.ts')).signingKey('key').sign('text')],
  [
    'Secrets Manager',
    async () => (await import('../../../../functions/adapters/secrets.ts')).readKeySecret('secret'),
  ],
])('a call of %s that gets no answer fails before its route ends', async (_, call) => {
  const { error, after } = await failureOf(call);
  expect(error).toMatchObject({ name: 'TimeoutError', $metadata: { attempts: 3 } });
  expect(after).toBeLessThan(ROUTE);
});

// Stripe's client counts on its sockets' own clocks, which can't be moved.
test('a call of Stripe that gets no answer fails after its tries, which a route has the time for', async () => {
  const { timeout, maxNetworkRetries } = CLIENT_OPTIONS;
  // A lost connection costs no user's request.
  expect(maxNetworkRetries).toBeGreaterThan(0);
  // Pauses of the client: at most 0.5 s and 1 s.
  expect((maxNetworkRetries + 1) * timeout + 1_500).toBeLessThan(ROUTE);
  const quick = { ...CLIENT_OPTIONS, timeout: 20, maxNetworkRetries: 0 };
  const stripe = new Stripe('sk_test_unit', { ...quick, host: '127.0.0.1', port, protocol: 'http' });
  await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject({ type: 'StripeConnectionError' });
});
