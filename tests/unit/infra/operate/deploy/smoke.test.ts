import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setUpStripe } from '../../../../../infra/operate/deploy/set-up-stripe.ts';
import { trySmoke } from '../../../../../infra/operate/deploy/smoke.ts';
import { type Target, targetOf } from '../../../../../infra/operate/deploy/target.ts';
import { readyAccount, readyKeys, readyStage, resource } from '../../../../fixtures/aws/ready-account.ts';
import { useAws } from '../../../../fixtures/aws/use-aws.ts';
import { freePlan } from '../../../../fixtures/product/free-plan.ts';
import {
  clientId,
  type CognitoStandIn,
  poolId,
  startCognito,
} from '../../../../fixtures/worlds/cognito-stand-in.ts';
import { startStripe, type StripeStandIn } from '../../../../fixtures/worlds/stripe-stand-in.ts';

const config = {
  userPoolId: 'us-east-1_pool',
  userPoolClientId: 'client',
  userPoolEndpoint: 'https://cognito-idp.us-east-1.amazonaws.com',
  signInOrigin: 'https://selfsame-production.auth.us-east-1.amazoncognito.com',
  providers: ['google'],
  relayClientId: 'relay',
  relayAddresses: [],
  legacyRelayAddresses: [],
  stripePublishableKey: 'pk_test_1',
};

/** The site: an answer for each path. */
let answers: Record<string, [status: number, body: string]>;
const site = createServer(({ url = '', headers }, response) => {
  const asked = headers.authorization === undefined ? url : `${url} with a token`;
  const [status, body] = answers[asked] ?? [404, ''];
  response.writeHead(status).end(body);
});
let origin: string;
const aws = useAws();
let stripe: StripeStandIn;
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  stripe = await startStripe();
  vi.stubEnv('STRIPE_API', stripe.origin);
});
afterAll(async () => {
  site.close();
  await stripe.close();
});

const webhookUrl = 'https://www.selfsame.test/api/stripe/webhook';
let target: Target;
beforeEach(async () => {
  answers = {
    '/': [200, '<title>Selfsame</title>'],
    '/config.json': [200, JSON.stringify(config)],
    '/api/plan': [401, '{"message":"Unauthorized"}'],
    '/api/stripe/webhook': [400, '{"code":"bad-request"}'],
  };
  Object.assign(aws.answers, readyAccount(readyKeys('production'), 'https://www.selfsame.test'));
  aws.answers.Invoke = () => ({ works: true });
  aws.answers.ListStackResources = () => ({
    StackResourceSummaries: [
      resource(
        'AWS::Lambda::Function',
        'selfsame-production-OperationCanaryFunction',
        'OperationCanaryFunction7B473602',
      ),
    ],
  });
  target = { ...targetOf('production', readyStage), resolves: async () => true };
  await setUpStripe(target, webhookUrl, () => {});
});

/** The checks that fail. */
async function failures(userPoolId = 'us-east-1_pool'): Promise<string[]> {
  const said: string[] = [];
  const outputs = { SiteUrl: origin, UserPoolId: userPoolId, WebhookUrl: webhookUrl };
  const works = await trySmoke({
    target,
    outputs,
    pause: async () => {},
    say: (line) => said.push(line),
  });
  const failed = said.filter((line) => !line.endsWith(': works'));
  expect(works).toBe(failed.length === 0);
  return failed.map((line) => /^Smoke check, ([^:]+):/.exec(line)?.[1] ?? line);
}

describe('the smoke check', () => {
  test('passes where the site, the API, the canary and the webhook endpoint work', async () => {
    expect(await failures()).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['home page', () => (answers['/'] = [200, ''])],
    ['config.json', () => (answers['/config.json'] = [200, JSON.stringify({ ...config, userPoolId: 'b' })])],
    ['plan without a token', () => (answers['/api/plan'] = [403, ''])],
    ['forged webhook', () => (answers['/api/stripe/webhook'] = [500, ''])],
    ['sign-in and plan', () => (aws.answers.Invoke = () => ({ works: false }))],
  ])('fails at "%s"', async (name, breakIt) => {
    breakIt();
    expect(await failures()).toEqual([name]);
  });

  describe('of a stage without a canary', () => {
    let cognito: CognitoStandIn;
    beforeEach(async () => {
      cognito = await startCognito();
      const { origin: userPoolEndpoint } = cognito;
      const pool = { userPoolId: poolId, userPoolClientId: clientId, userPoolEndpoint };
      answers['/config.json'] = [200, JSON.stringify({ ...config, ...pool })];
      answers['/api/plan with a token'] = [200, JSON.stringify(freePlan)];
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      target = {
        ...target,
        stage: { ...readyStage, canary: false },
        cognito: new CognitoIdentityProviderClient({
          region: 'us-east-1',
          endpoint: userPoolEndpoint,
          credentials,
        }),
      };
      return () => cognito.stop();
    });

    test('signs in as the site does, and again at the next deployment', async () => {
      expect(await failures(poolId)).toEqual([]);
      expect(await failures(poolId)).toEqual([]);
      expect(cognito.mail.list()).toEqual([]);
    });

    test('fails where the plan can’t be read', async () => {
      answers['/api/plan with a token'] = [500, ''];
      expect(await failures(poolId)).toEqual(['sign-in and plan']);
    });

    test('fails where the site’s client signs nobody in', async () => {
      const pool = { userPoolId: poolId, userPoolClientId: 'unknown', userPoolEndpoint: cognito.origin };
      answers['/config.json'] = [200, JSON.stringify({ ...config, ...pool })];
      expect(await failures(poolId)).toEqual(['sign-in and plan']);
    });
  });

  test('fails where Stripe has disabled the endpoint', async () => {
    const [endpoint] = (await stripe.stripe.webhookEndpoints.list()).data;
    await stripe.stripe.webhookEndpoints.update(String(endpoint?.id), { disabled: true });
    expect(await failures()).toEqual(["Stripe's webhook endpoint"]);
  });
});
