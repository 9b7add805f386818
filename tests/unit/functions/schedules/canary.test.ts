import {
  AdminCreateUserCommand,
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cognitoCanaryUser } from '../../../../functions/adapters/cognito/canary-user.ts';
import { toPlan } from '../../../../functions/domain/plan.ts';
import { trySite } from '../../../../functions/schedules/canary.ts';
import { product } from '../../../../schemas/product/product.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const siteUrl = 'https://selfsame.example';
const plan = toPlan({ id: 'canary', plan: 'free', version: 1 });

let statuses: Record<string, number>;
let page: string;
let asked: string[];
const log = watchLog();

/** A command of AWS's SDK, as far as the canary uses it. */
interface Sent {
  input: { Password?: string; AuthParameters?: { PASSWORD: string } };
}

const user = { signIn: async () => 'a-token' };

beforeEach(() => {
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

  const failure: Record<string, () => unknown> = {
    'the home page is answered with an error': () => (statuses['/'] = 503),
    'another page is answered in place of ours': () => (page = 'Welcome to nginx!'),
    'the plan is answered with an error': () => (statuses['/api/plan'] = 503),
    'Cognito cannot be reached': () =>
      vi.spyOn(user, 'signIn').mockRejectedValueOnce(new Error('No answer.')),
  };

  test.each([
    ['the home page is answered with an error', 'page'],
    ['another page is answered in place of ours', 'page'],
    ['the plan is answered with an error', 'plan'],
    ['Cognito cannot be reached', 'sign-in'],
  ])('counts a failure if %s, and names the step %s', async (what, step) => {
    failure[what]?.();
    expect(await run()).toEqual({ outcome: { works: false }, failures: [1] });
    expect(log.errors.at(-1)).toMatchObject({ event: 'canary-failed', step });
  });

  test('signs in with a password of its own making, as a user that it creates if there is none', async () => {
    const sent: [string, string | undefined][] = [];
    let exists = false;
    const client = CognitoIdentityProviderClient.prototype as unknown as { send: (command: Sent) => object };
    vi.spyOn(client, 'send').mockImplementation(async (command) => {
      const { Password, AuthParameters } = command.input;
      sent.push([command.constructor.name, Password ?? AuthParameters?.PASSWORD]);
      if (command instanceof AdminCreateUserCommand) exists = true;
      if (!exists) throw new UserNotFoundException({ message: 'There is none.', $metadata: {} });
      return { AuthenticationResult: { AccessToken: 'token' } };
    });
    const canary = cognitoCanaryUser({
      USER_POOL_ID: 'us-east-1_pool',
      CANARY_CLIENT_ID: 'client',
      CANARY_EMAIL: 'canary@x.test',
    });
    expect(await canary.signIn()).toBe('token');
    const [first, created, ...again] = sent.splice(0);
    expect([first, created?.[0], ...again]).toEqual([
      first,
      'AdminCreateUserCommand',
      first,
      ['AdminInitiateAuthCommand', first?.[1]],
    ]);
    expect(await canary.signIn()).toBe('token');
    expect(sent.map(([name]) => name)).toEqual([first?.[0], 'AdminInitiateAuthCommand']);
    expect(sent[0]?.[1]).not.toBe(first?.[1]);
  });
});
