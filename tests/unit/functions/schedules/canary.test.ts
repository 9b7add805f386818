import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler, trySite } from '../../../../functions/schedules/canary.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const siteUrl = 'https://selfsame.example';
const plan = {
  plan: 'free',
  planExpiresAt: null,
  stripeSubscriptionId: null,
  createdAt: null,
  lastSignInAt: null,
};

/** The password of the user in the pool; undefined without a user. */
let stored: string | undefined;
let statuses: Record<string, number>;
let asked: string[];
const log = watchLog();

const user = {
  signIn: async (password: string) => (password === stored ? 'a-token' : undefined),
  create: async (password: string) => void (stored = password),
};

beforeEach(() => {
  stored = 'password';
  statuses = {};
  asked = [];
});

/** Resolves with the outcome and the number that the alarm counts. */
const run = async () => {
  let outcome: unknown;
  const metrics = await metricsOf(async () => void (outcome = await tryOnce()));
  return { outcome, failures: metrics.map(({ CanaryFailures }) => CanaryFailures) };
};
const tryOnce = () =>
  trySite({
    user,
    password: async () => 'password',
    siteUrl,
    fetch: async (url, { headers }) => {
      const path = url.slice(siteUrl.length);
      const { authorization } = headers as { authorization?: string };
      asked.push(authorization ? `${path} ${authorization}` : path);
      return Response.json(plan, { status: statuses[path] ?? 200 });
    },
  })();

describe('the canary', () => {
  test('opens the home page, signs in and reads its plan, and counts no failure', async () => {
    expect(await run()).toEqual({ outcome: { works: true }, failures: [0] });
    expect(asked).toEqual(['/', '/api/plan Bearer a-token']);
  });

  test.each([
    ['there is none', undefined],
    ['its password is another', 'old'],
  ])('makes its user able to sign in if %s', async (_, before) => {
    stored = before;
    expect(await run()).toMatchObject({ outcome: { works: true } });
    expect(stored).toBe('password');
  });

  test.each([
    ['/', 'page'],
    ['/api/plan', 'plan'],
  ])('counts a failure if %s is answered with an error, and names the step', async (path, step) => {
    statuses[path] = 503;
    expect(await run()).toEqual({ outcome: { works: false }, failures: [1] });
    expect(log.errors.at(-1)).toMatchObject({ event: 'canary-failed', step });
  });

  test('counts a failure if Cognito cannot be reached', async () => {
    vi.spyOn(user, 'signIn').mockRejectedValueOnce(new Error('No answer.'));
    expect(await run()).toEqual({ outcome: { works: false }, failures: [1] });
    expect(log.errors.at(-1)).toMatchObject({ step: 'sign-in' });
  });

  test('signs in with the password that the secret has now', async () => {
    let secret = 'first';
    const passwords: unknown[] = [];
    const server = createServer((request, response) => {
      void textOf(request).then((body) => {
        const call = String(request.headers['x-amz-target']).split('.')[1];
        if (call === 'AdminInitiateAuth') {
          const { AuthParameters } = JSON.parse(body) as { AuthParameters: Record<string, string> };
          passwords.push(AuthParameters['PASSWORD']);
        }
        const answers: Record<string, object> = {
          GetSecretValue: { SecretString: JSON.stringify({ password: secret }) },
          AdminInitiateAuth: { AuthenticationResult: { AccessToken: 'token' } },
        };
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(answers[call ?? ''] ?? plan));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const [name, value] of Object.entries({
      AWS_ENDPOINT_URL: origin,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      SITE_URL: origin,
      USER_POOL_ID: 'us-east-1_pool',
      CANARY_CLIENT_ID: 'client',
      CANARY_EMAIL: 'canary@selfsame.test',
      CANARY_SECRET_ID: 'secret',
    })) {
      vi.stubEnv(name, value);
    }
    expect(await handler()).toEqual({ works: true });
    secret = 'second';
    expect(await handler()).toEqual({ works: true });
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    expect(passwords).toEqual(['first', 'second']);
  });
});
