/**
 * Loads one user: `npm run bench -- one-user`, or `node tests/benchmarks/one-user.ts [--seconds 20]
 * [--connections 32]`.
 *
 * Every connection sends one request after the other about the same user, in turn: Stripe's events, and all
 * that the pages ask for. Nobody presses like that; a script can, and so can Stripe after an outage. All
 * requests write the same row, so most of them lose to another and try again.
 *
 * Contention is not an error: an answer is 200, a refusal that fits the user's state (4xx), or 503 with
 * `Retry-After` where others kept writing for too long. At the end, the row agrees with Stripe.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type Stripe from 'stripe';
import { WEBHOOK_SECRET } from '../../infra/local/credentials.ts';
import { tokensOf } from '../fixtures/access-token.ts';
import { type Account, buyPlus, createAccount } from '../fixtures/account.ts';
import type { World } from '../fixtures/world.ts';
import { startLoadedWorld } from './load/loaded-world.ts';
import type { LoadRequest } from './load/send-requests.ts';
import { report } from './report.ts';

const PORT = 4_910;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '32' },
  },
});

/** What is asked for, by name. */
type Requests = Record<string, () => LoadRequest>;

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
  const requests = requestsOf(world, account, { token, subscription, session });
  const answers = await load(requests);
  for (const [name, count] of [...answers.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.error(`${count} × ${name}`);
  printFailures(world);

  // Resolves when Stripe has delivered its own events.
  await world.advance('PT1S');
  const agrees = await agreesWithStripe(world, account);
  const all = sumOf(answers, () => true);
  const of = (status: RegExp) => sumOf(answers, (name) => status.test(name));
  report([
    { what: 'Requests about one user', value: all / Number(values.seconds), unit: 'requests/s' },
    { what: 'Answered 200', value: (100 * of(/ 200/)) / all, unit: '%' },
    { what: 'Refused by the state of the user', value: (100 * of(/ 4\d\d/)) / all, unit: '%' },
    { what: 'Told to come back (503 `busy`)', value: (100 * of(/ 503 busy/)) / all, unit: '%' },
    {
      what: 'Other failures',
      value: of(/ 5\d\d/) - of(/ 503 busy/) + answers.unannounced,
      unit: 'answers',
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

function requestsOf(
  { origin }: World,
  { id, email }: Account,
  { token, subscription, session }: { token: string; subscription: Stripe.Subscription; session: string },
): Requests {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const get = (path: string) => (): LoadRequest => ({
    method: 'GET',
    url: new URL(`/api${path}`, origin),
    headers,
  });
  const post = (path: string, body: object) => (): LoadRequest => ({
    method: 'POST',
    url: new URL(`/api${path}`, origin),
    headers,
    body: JSON.stringify(body),
  });
  return {
    event: () => signedEvent(new URL('/api/stripe/webhook', origin), subscription),
    plan: get('/plan'),
    checkout: post('/create-checkout-session', { planName: 'plus', userId: id, userEmail: email }),
    cancel: post('/cancel-subscription', { subscription_id: subscription.id }),
    'another event': () => signedEvent(new URL('/api/stripe/webhook', origin), subscription),
    renew: post('/renew-subscription', {}),
    'session status': get(`/session-status?session_id=${session}`),
  };
}

/** Signed now: Stripe's library refuses signatures older than five minutes. */
function signedEvent(url: URL, object: Stripe.Subscription): LoadRequest {
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
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` };
  return { method: 'POST', url, headers, body };
}

async function load(requests: Requests): Promise<Answers> {
  const connections = Number(values.connections);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const list = Object.entries(requests);
  const answers: Answers = { counts: new Map(), unannounced: 0 };
  const end = performance.now() + Number(values.seconds) * 1000;
  let begun = 0;
  const connection = async () => {
    while (performance.now() < end) {
      const [name = '', request] = list[begun % list.length] ?? [];
      begun += 1;
      if (!request) continue;
      const { status, code, retryAfter } = await answerTo(request(), agent);
      const answer = [name, status, code].filter(Boolean).join(' ');
      answers.counts.set(answer, (answers.counts.get(answer) ?? 0) + 1);
      if (status === 503 && retryAfter === undefined) answers.unannounced += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  return answers;
}

function answerTo(
  { method, url, headers, body }: LoadRequest,
  agent: Agent,
): Promise<{ status: number; code: string | undefined; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    send(url, { method, headers, agent }, (response) => {
      const { statusCode: status = 0 } = response;
      const retryAfter = response.headers['retry-after'];
      text(response).then((answer) => resolve({ status, retryAfter, code: codeIn(status, answer) }), reject);
    })
      .once('error', reject)
      .end(body);
  });
}

function codeIn(status: number, answer: string): string | undefined {
  if (status < 400 || !answer.startsWith('{')) return undefined;
  return (JSON.parse(answer) as { code?: string }).code;
}

/** The logs of failed requests, each kind once. */
function printFailures({ output }: World): void {
  const lines = output.join('').split('\n');
  const errors = new Set(lines.filter((line) => /Error\b/.test(line)).map((line) => line.slice(0, 300)));
  for (const line of [...errors].slice(0, 20)) console.error(line);
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
