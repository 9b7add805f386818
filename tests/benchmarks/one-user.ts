/**
 * Loads one user: `npm run bench -- one-user`, or `node tests/benchmarks/one-user.ts [--seconds 20]
 * [--connections 32]`.
 *
 * Every connection sends one request after the other about the same user, in turn: Stripe's events, and all
 * that the pages ask for. Nobody presses like that; a script can, and so can Stripe after an outage. All
 * requests write the same row, so most of them lose to another and try again.
 *
 * The handlers run in this process, on the local world's tables, Stripe and Cognito: the world itself runs at
 * most sixteen execution environments, and would wait for those.
 *
 * Contention is not an error: an answer is 200, a refusal that fits the user's state (4xx), or 503 with
 * `Retry-After` where others kept writing for too long. At the end, the row agrees with Stripe.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type Stripe from 'stripe';
import type { HttpHandler } from '../../functions/runtime/route.ts';
import { WEBHOOK_SECRET } from '../../infra/local/credentials.ts';
import { SITE_SCOPE } from '../../schemas/endpoint.ts';
import { tokensOf } from '../fixtures/access-token.ts';
import { type Account, buyPlus, createAccount } from '../fixtures/account.ts';
import { fromCloudFront } from '../fixtures/origin-key.ts';
import type { World } from '../fixtures/world.ts';
import { type LoadedWorld, startLoadedWorld } from './load/loaded-world.ts';
import { report } from './report.ts';

const PORT = 4_910;
// Users whose first purchase is pressed on every connection at once: nothing of theirs exists yet.
const FIRST_BUYERS = 5;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '32' },
  },
});

interface Asked {
  handler: HttpHandler;
  event: () => Partial<APIGatewayProxyEventV2>;
}

/** What is asked for, by name. */
type Requests = Record<string, Asked>;

interface Answers {
  /** How many, by the request's name, the status and the refusal's code: `cancel 503 busy`. */
  counts: Map<string, number>;
  /** Answers of 503 without `Retry-After`. */
  unannounced: number;
}

const loaded = await startLoadedWorld(PORT, {});
try {
  const { world } = loaded;
  const account = await createAccount(world);
  const token = (await tokensOf(world, account)).access;
  await buyPlus(world, account, { accessToken: token });
  const before = await world.rowOf(account.id);
  const customer = String(before?.billing_customer_id);
  const { data } = await world.stripe.subscriptions.list({ customer });
  const [subscription] = data;
  if (!subscription) throw new Error('A paid checkout has no subscription.');
  const session = String(before?.checkout_session_id);
  const handlers = await handlersOf(loaded, token);
  const requests = requestsOf(handlers, account, { token, subscription, session });
  const answers = await load(requests, Number(values.seconds) * 1000);
  const underLoad = sumOf(answers, () => true);
  let spareSessions = 0;
  for (let buyer = 0; buyer < FIRST_BUYERS; buyer += 1) {
    const first = await createAccount(world);
    const { access } = await tokensOf(world, first);
    const { checkout } = requestsOf(handlers, first, { token: access, subscription, session });
    if (!checkout) throw new Error('There is no checkout.');
    // Each connection presses once.
    const pressed = await load({ 'first checkout': checkout }, 0);
    for (const [name, count] of pressed.counts)
      answers.counts.set(name, (answers.counts.get(name) ?? 0) + count);
    answers.unannounced += pressed.unannounced;
    spareSessions += (await openSessionsOf(world, first)) - 1;
  }
  for (const [name, count] of answers.counts) console.error(`${count} × ${name}`);

  // Resolves when Stripe has delivered its own events.
  await world.advance('PT1S');
  const agrees = await agreesWithStripe(world, account);
  const all = sumOf(answers, () => true);
  const of = (status: RegExp) => sumOf(answers, (name) => status.test(name));
  report([
    { what: 'Requests about one user', value: underLoad / Number(values.seconds), unit: 'requests/s' },
    { what: 'Answered 200', value: (100 * of(/ 200/)) / all, unit: '%' },
    { what: 'Refused by the state of the user', value: (100 * of(/ 4\d\d/)) / all, unit: '%' },
    { what: 'Told to come back (503 `busy`)', value: (100 * of(/ 503 busy/)) / all, unit: '%' },
    {
      what: 'Other failures',
      value: of(/ 5\d\d/) - of(/ 503 busy/) + answers.unannounced,
      unit: 'answers',
      goal: { most: 0 },
    },
    {
      what: 'Open checkouts of a user, apart from one',
      value: spareSessions,
      unit: 'sessions',
      goal: { most: 0 },
    },
    { what: 'The row agrees with Stripe', value: agrees ? 1 : 0, unit: 'of 1', goal: { least: 1 } },
  ]);
} finally {
  await loaded.stop();
}

function sumOf({ counts }: Answers, is: (name: string) => boolean): number {
  return [...counts].reduce((sum, [name, count]) => sum + (is(name) ? count : 0), 0);
}

/** The handlers, with the variables that the world gives them. */
async function handlersOf({ world, variablesOf }: LoadedWorld, token: string) {
  // Each of the two starts an environment, and together they have all variables.
  await fetch(`${world.origin}/api/create-checkout-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{}',
  });
  await world.post('/api/stripe/webhook');
  Object.assign(
    process.env,
    await variablesOf('POST /api/create-checkout-session'),
    await variablesOf('POST /api/stripe/webhook'),
  );
  // Imported now, since their clients read the variables as they are made.
  const [webhook, plan, checkout, cancel, renew, status] = await Promise.all([
    import('../../functions/webhooks/stripe-webhook.ts'),
    import('../../functions/api/plan.ts'),
    import('../../functions/api/create-checkout-session.ts'),
    import('../../functions/api/cancel-subscription.ts'),
    import('../../functions/api/renew-subscription.ts'),
    import('../../functions/api/session-status.ts'),
  ]);
  return {
    webhook: webhook.handler,
    plan: plan.handler,
    checkout: checkout.handler,
    cancel: cancel.handler,
    renew: renew.handler,
    status: status.handler,
  };
}

function requestsOf(
  handlers: Awaited<ReturnType<typeof handlersOf>>,
  { id, email }: Account,
  { token, subscription, session }: { token: string; subscription: Stripe.Subscription; session: string },
): Requests {
  const authTime = String(Math.floor(Date.now() / 1000));
  const claims = { sub: id, auth_time: authTime, token_use: 'access', scope: SITE_SCOPE };
  const asUser = (handler: HttpHandler, request: Partial<APIGatewayProxyEventV2> = {}): Asked => ({
    handler,
    event: () => ({
      headers: { ...fromCloudFront, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      requestContext: contextWith({ authorizer: { jwt: { claims, scopes: [] } } }),
      ...request,
    }),
  });
  const posted = (handler: HttpHandler, body: object) => asUser(handler, { body: JSON.stringify(body) });
  const event = { handler: handlers.webhook, event: () => signedEvent(subscription) };
  return {
    event,
    plan: asUser(handlers.plan),
    checkout: posted(handlers.checkout, { planName: 'plus', userId: id, userEmail: email }),
    cancel: posted(handlers.cancel, { subscription_id: subscription.id }),
    'another event': event,
    renew: posted(handlers.renew, {}),
    'session status': asUser(handlers.status, { queryStringParameters: { session_id: session } }),
  };
}

function contextWith(context: object): APIGatewayProxyEventV2['requestContext'] {
  return { requestId: 'load', ...context } as APIGatewayProxyEventV2['requestContext'];
}

/** Signed now: Stripe's library refuses signatures older than five minutes. */
function signedEvent(object: Stripe.Subscription): Partial<APIGatewayProxyEventV2> {
  const time = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    created: time,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'customer.subscription.updated',
  });
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex');
  return {
    headers: { ...fromCloudFront, 'stripe-signature': `t=${time},v1=${signature}` },
    body,
    requestContext: contextWith({}),
  };
}

/** `milliseconds`: no request begins later, but each connection sends one. */
async function load(requests: Requests, milliseconds: number): Promise<Answers> {
  const list = Object.entries(requests);
  const answers: Answers = { counts: new Map(), unannounced: 0 };
  const failures = new Set<string>();
  // The functions' logs: only failures are of interest, each once.
  const { info, error } = console;
  console.info = () => {};
  console.error = (line: { error?: string }) => void failures.add(String(line.error));
  const end = performance.now() + milliseconds;
  let begun = 0;
  const connection = async () => {
    do {
      const [name, asked] = list[begun % list.length] ?? [];
      begun += 1;
      if (!name || !asked) return;
      const event = { isBase64Encoded: false, ...asked.event() } as APIGatewayProxyEventV2;
      const { statusCode = 0, body = '', headers } = await asked.handler(event);
      const { code } = JSON.parse(body) as { code?: string };
      const answer = [name, statusCode, code].filter(Boolean).join(' ');
      answers.counts.set(answer, (answers.counts.get(answer) ?? 0) + 1);
      if (statusCode === 503 && headers?.['retry-after'] === undefined) answers.unannounced += 1;
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: Number(values.connections) }, connection));
  Object.assign(console, { info, error });
  for (const failure of failures) console.error(failure);
  return answers;
}

/** Of all customers with the user's address. */
async function openSessionsOf({ stripe }: World, { email }: Account): Promise<number> {
  const { data: customers } = await stripe.customers.list({ email, limit: 100 });
  let count = 0;
  for (const { id: customer } of customers) {
    count += (await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data.length;
  }
  return count;
}

async function agreesWithStripe(world: World, { id }: Account): Promise<boolean> {
  const row = await world.rowOf(id);
  const { data } = await world.stripe.subscriptions.list({ customer: String(row?.billing_customer_id) });
  const [running, ...others] = data;
  const isEnding = running !== undefined && (running.cancel_at !== null || running.cancel_at_period_end);
  const expected = running
    ? { plan: 'plus', renews: isEnding ? undefined : running.id, ends: isEnding }
    : { plan: 'free', renews: undefined, ends: false };
  const found = {
    plan: row?.plan,
    renews: row?.stripe_subscription_id,
    ends: row?.plan_expires_at !== undefined,
  };
  console.error('At Stripe:', expected, 'in the row:', found);
  return others.length === 0 && JSON.stringify(found) === JSON.stringify(expected);
}
