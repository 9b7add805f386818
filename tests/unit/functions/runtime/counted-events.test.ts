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
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { memoryAddressLimits, memoryPlans } from '../../../fixtures/fakes/memory-adapters.ts';
import { fromCloudFront } from '../../../fixtures/fakes/origin-key.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

type Sweep = LogEvents['sweep-finished']['sweep'];
const counts = { done: 0, failures: 0, unreadShards: 0 };
const sweep = (name: Sweep, unfinished = true) => ({ sweep: name, ...counts, unfinished });

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

async function refusedChange(): Promise<void> {
  const { planTable, sessionUser } = adaOnFree();
  const session = { planTable: () => planTable, sessionUser: () => sessionUser };
  const refuses = route(api['session-status'], session, async () => {
    throw Object.assign(new Error('Stripe says no.'), { type: 'StripeInvalidRequestError' });
  });
  await call(refuses.with({ planTable, sessionUser }), { user: 'ada', query: { session_id: 'cs_1' } });
}

async function refusedByGitHub(): Promise<void> {
  const cipher = cipherOf('secret');
  const redirect = 'https://pool.example/oauth2/idpresponse';
  const refusal = Response.json({ error: 'incorrect_client_credentials' });
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(refusal);
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

const untoldAddress = (): Promise<unknown> => {
  const mail = { isSuppressed: () => Promise.reject(new Error('Too many requests.')) };
  const parts = { limits: memoryAddressLimits(), mail };
  return refusalToMail(parts, { purpose: 'sign-up', of: email }, new Date());
};

/** Another account has the address. */
async function refusedConfirmation(): Promise<void> {
  const { pool, addresses, ...parts } = accountParts();
  pool.put({ username: 'owner', email });
  addresses.owners.set(email, 'owner');
  pool.put({ username: 'second', email });
  const planTable = memoryPlans();
  const triggers = { ...parts, planTable, addresses, users: () => pool, discardSignUp: async () => {} };
  await handlePostConfirmation(triggers)({
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
