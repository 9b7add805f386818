import {
  type AdminInitiateAuthCommandInput,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler, trySite } from '../../../../functions/schedules/canary.ts';
import { backgroundFunctions } from '../../../../schemas/background-functions.ts';
import { environmentSchemas } from '../../../../schemas/config/environment.ts';
import { product } from '../../../../schemas/product/product.ts';
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

/** A client of AWS, as far as the canary uses it. */
interface Sender {
  send: (command: { input: AdminInitiateAuthCommandInput }) => Promise<object>;
}

/** The password of the user in the pool; undefined without a user. */
let stored: string | undefined;
let statuses: Record<string, number>;
let page: string;
let asked: string[];
const log = watchLog();

const user = {
  signIn: async (password: string) => (password === stored ? 'a-token' : undefined),
  create: async (password: string) => void (stored = password),
};

beforeEach(() => {
  stored = 'password';
  statuses = {};
  page = `<title>${product.name}</title>`;
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
      const init = { status: statuses[path] ?? 200 };
      return path === '/' ? new Response(page, init) : Response.json(plan, init);
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

  test('counts a failure if another page is answered in place of ours', async () => {
    page = 'Welcome to nginx!';
    expect(await run()).toEqual({ outcome: { works: false }, failures: [1] });
    expect(log.errors.at(-1)).toMatchObject({ step: 'page' });
  });

  test('counts a failure if Cognito cannot be reached', async () => {
    vi.spyOn(user, 'signIn').mockRejectedValueOnce(new Error('No answer.'));
    expect(await run()).toEqual({ outcome: { works: false }, failures: [1] });
    expect(log.errors.at(-1)).toMatchObject({ step: 'sign-in' });
  });

  test('signs in with the password that the secret has now', async () => {
    const passwords: unknown[] = [];
    const cognito = vi.spyOn(CognitoIdentityProviderClient.prototype as unknown as Sender, 'send');
    cognito.mockImplementation(async ({ input }) => {
      passwords.push(input.AuthParameters?.['PASSWORD']);
      return { AuthenticationResult: { AccessToken: 'token' } };
    });
    const secrets = vi.spyOn(SecretsManagerClient.prototype as unknown as Sender, 'send');
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) =>
      url === `${siteUrl}/` ? new Response(page) : Response.json(plan),
    );
    for (const name of Object.keys(environmentSchemas(backgroundFunctions['schedules/canary']))) {
      vi.stubEnv(name, name === 'SITE_URL' ? siteUrl : 'us-east-1_canary');
    }
    for (const password of ['first', 'second']) {
      secrets.mockResolvedValueOnce({ SecretString: JSON.stringify({ password }) });
      expect(await handler()).toEqual({ works: true });
    }
    vi.unstubAllEnvs();
    expect(passwords).toEqual(['first', 'second']);
  });
});
