import type { APIGatewayProxyEventV2, PostConfirmationTriggerEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { refusalToMail } from '../../../../functions/accounts/refusal-to-mail.ts';
import { github } from '../../../../functions/adapters/github.ts';
import { cachedSecret } from '../../../../functions/adapters/stripe/cached-secret.ts';
import { withRotatingKey } from '../../../../functions/adapters/stripe/rotating-key.ts';
import { cipherOf } from '../../../../functions/github-oidc/cipher.ts';
import { serveGitHubOidc } from '../../../../functions/github-oidc/github-oidc.ts';
import { route } from '../../../../functions/runtime/route.ts';
import { handlePostConfirmation } from '../../../../functions/triggers/post-confirmation.ts';
import { api } from '../../../../schemas/api.ts';
import { countedEvents } from '../../../../schemas/config/counted-events.ts';
import type { LogEvent, LogEvents } from '../../../../schemas/config/log-events.ts';
import type { MetricName } from '../../../../schemas/config/metrics.ts';
import { accountParts } from '../../../fixtures/fakes/account-parts.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import {
  memoryAddresses,
  memoryAddressLimits,
  memoryPlans,
} from '../../../fixtures/fakes/memory-adapters.ts';
import { MemoryPool } from '../../../fixtures/fakes/memory-pool.ts';
import { fromCloudFront } from '../../../fixtures/fakes/origin-key.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

type Sweep = LogEvents['sweep-finished']['sweep'];
const sweep = (name: Sweep, unfinished = true) => ({
  sweep: name,
  done: 0,
  failures: 0,
  unreadShards: 0,
  unfinished,
});

test.each<[LogEvent, object, MetricName | undefined]>([
  ['idle-jump', {}, 'IdleJump'],
  ['refund-failed', {}, 'StuckMoney'],
  ['invoice-not-finalized', {}, 'StuckMoney'],
  ['invoices-mailed', {}, 'StuckMoney'],
  ['stripe-key-refused', {}, 'StripeKeyRefused'],
  ['github-step-failed', { status: 'incorrect_client_credentials' }, 'GitHubSecretRefused'],
  ['github-step-failed', { status: 'access_denied' }, undefined],
  ['sweep-finished', sweep('schedules/expiry-sweep'), 'UnfinishedRuns'],
  ['sweep-finished', sweep('schedules/expiry-sweep', false), undefined],
  ['mail-not-sent', {}, 'UnsentMail'],
  ['code-refused', {}, 'TriggerRefusals'],
  ['confirmation-refused', {}, 'TriggerRefusals'],
  ['sign-up-refused', {}, 'TriggerRefusals'],
  ['tokens-refused', {}, 'TriggerRefusals'],
  ['duplicate-refunded', {}, undefined],
])('the event %s with %j counts for an alarm as %s', (event, fields, metric) => {
  expect(countedEvents[event]?.(fields as never)).toBe(metric);
});

const siteUrl = 'https://selfsame.example';
const email = 'ada@example.com';

async function refusedKey(): Promise<void> {
  const secret = await cachedSecret(async () => ({ secretKey: 'sk_old', webhookSecret: 'whsec' }));
  const answer = { getStatusCode: () => 401 };
  const client = { getClientName: () => 'fake', makeRequest: async () => answer };
  await withRotatingKey(client as never, secret).makeRequest('', '', '', 'GET', {}, '', 'https', 1);
}

function poolOfAda(): MemoryPool {
  const pool = new MemoryPool();
  pool.put({ username: 'ada' });
  return pool;
}

async function refusedChange(): Promise<void> {
  const refuses = route(
    api['session-status'],
    { planTable: memoryPlans(), sessionUser: poolOfAda().sessionUser },
    async () => {
      throw Object.assign(new Error('Stripe says no.'), { type: 'StripeInvalidRequestError' });
    },
  );
  await call(refuses, { user: 'ada', query: { session_id: 'cs_1' } });
}

async function refusedByGitHub(): Promise<void> {
  const cipher = cipherOf('secret');
  const redirect = 'https://pool.example/oauth2/idpresponse';
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(
    new Response(JSON.stringify({ error: 'incorrect_client_credentials' })),
  );
  const gitHub = { GITHUB_URL: 'https://github.example', GITHUB_API: 'https://api.github.example' };
  const handle = serveGitHubOidc({
    url: `${siteUrl}/api/github-oidc`,
    cognitoCallback: redirect,
    github: github(gitHub, async () => ({ clientId: 'us', clientSecret: 'expired' })),
    key: { publicKey: async () => ({}) } as never,
    secrets: async () => ({ clientSecret: 'secret', cipher }),
  });
  const form = {
    grant_type: 'authorization_code',
    code: await cipher.encrypt('code', { code: 'abc', verifier: 'verifier' }, new Date()),
    redirect_uri: redirect,
    client_id: 'cognito',
    client_secret: 'secret',
  };
  await handle({
    headers: { ...fromCloudFront, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    pathParameters: { step: 'token' },
    requestContext: { requestId: 'request', http: { method: 'POST' } },
  } as unknown as APIGatewayProxyEventV2);
}

const untoldAddress = (): Promise<unknown> =>
  refusalToMail(
    {
      limits: memoryAddressLimits(),
      mail: { isSuppressed: () => Promise.reject(new Error('Too many requests.')) },
    },
    { purpose: 'sign-up', of: email },
    new Date(),
  );

/** Another account has the address. */
const takenAddress = () => {
  const pool = new MemoryPool();
  const addresses = memoryAddresses();
  pool.put({ username: 'owner', email });
  addresses.owners.set(email, 'owner');
  return { pool, addresses };
};

async function refusedConfirmation(): Promise<void> {
  const { pool, addresses } = takenAddress();
  pool.put({ username: 'second', email });
  await handlePostConfirmation({
    planTable: memoryPlans(),
    ...accountParts(),
    addresses,
    users: () => pool,
    discardSignUp: async () => {},
  })({
    triggerSource: 'PostConfirmation_ConfirmSignUp',
    userPoolId: 'pool',
    userName: 'second',
    request: { userAttributes: { sub: 'second', email, email_verified: 'true' } },
  } as unknown as PostConfirmationTriggerEvent);
}

/** Handlers that log an event which no test of their own asserts. */
test.each<[string, () => Promise<unknown>, LogEvent]>([
  ['a key that Stripe refuses', refusedKey, 'stripe-key-refused'],
  ['a change that Stripe refuses', refusedChange, 'stripe-refused'],
  ['a client secret that GitHub refuses', refusedByGitHub, 'github-step-failed'],
  ['an address that SES does not tell about', untoldAddress, 'suppression-not-read'],
  ['a refused confirmation', refusedConfirmation, 'confirmation-refused'],
])('%s is logged for an alarm or the weekly query', async (_, cause, event) => {
  const logged: unknown[] = [];
  const note = (line: { event: string }) => void logged.push(line.event);
  vi.spyOn(console, 'info').mockImplementation(note);
  vi.spyOn(console, 'error').mockImplementation(note);
  await cause().catch(() => {});
  expect(logged).toContain(event);
});
