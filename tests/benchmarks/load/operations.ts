import { createHmac, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type Stripe from 'stripe';
import { markOf } from '../../../functions/domain/mark.ts';
import { STRIPE_KEYS, WEBHOOK_SECRET } from '../../../infra/local/credentials.ts';
import { targetOf } from '../../../infra/operate/support/target.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { tokensOf } from '../../fixtures/worlds/access-token.ts';
import { type Account, createAccount } from '../../fixtures/worlds/account.ts';
import type { World } from '../../fixtures/worlds/world.ts';
import { type Bare, startBare } from './bare.ts';
import type { LoadRequest } from './send-requests.ts';

/** Something that users or Stripe ask for, of the product and of the bare server. */
export interface Operation {
  name: string;
  /**
   * Whether requests compete for the same row. The product may answer 503 to one that has lost ten times in a
   * row, and Stripe sends its event again.
   */
  competes: boolean;
  /** Makes the next request. */
  product: () => LoadRequest;
  bare: () => LoadRequest;
}

export interface Operations {
  list: readonly Operation[];
  /** Signs the user in again: access tokens are valid for 15 minutes. */
  signIn(): Promise<void>;
  stop(): Promise<void>;
}

// More than functions run at once, so that two events are rarely about the same payer.
const PAYERS = 64;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Creates a user and payers in the world, and starts the bare server on the world's tables and Stripe. */
export async function prepareOperations(world: World, port: number): Promise<Operations> {
  const account = await createAccount(world);
  let token = (await tokensOf(world, account)).access;
  const variables: NodeJS.ProcessEnv = { SELFSAME_PORT: String(port) };
  const { tables, stripeApi, stage } = await targetOf('local', variables);
  console.error(`Subscribing ${PAYERS} payers …`);
  const events = await eventsOfPayers(world, { table: tables.userPlans, stage }, variables);
  const bare = await startBare({
    ...variables,
    PLANS_TABLE: tables.userPlans,
    WAITLIST_TABLE: tables.waitlist,
    STRIPE_API: stripeApi,
    STRIPE_KEY: STRIPE_KEYS.secretKey,
    WEBHOOK_SECRET,
  });
  return {
    list: operations(world, bare, account, { token: () => token, events }),
    signIn: async () => {
      token = (await tokensOf(world, account)).access;
    },
    stop: () => bare.stop(),
  };
}

function operations(
  world: World,
  bare: Bare,
  account: Account,
  { token, events }: { token: () => string; events: readonly string[] },
): Operation[] {
  const addresses = {
    plan: { product: new URL('/api/plan', world.origin), bare: new URL('/plan', bare.origin) },
    waitlist: { product: new URL('/api/waitlist', world.origin), bare: new URL('/waitlist', bare.origin) },
    webhook: {
      product: new URL('/api/stripe/webhook', world.origin),
      bare: new URL('/webhook', bare.origin),
    },
  };
  let sent = 0;
  const event = (url: URL, payers: number): LoadRequest => {
    sent += 1;
    return signedEvent(url, events[sent % payers] ?? '');
  };
  const joining = (url: URL): LoadRequest => ({
    method: 'POST',
    url,
    headers: JSON_TYPE,
    body: JSON.stringify(newEntry()),
  });
  const webhook = (name: string, payers: number): Operation => ({
    name,
    competes: payers === 1,
    product: () => event(addresses.webhook.product, payers),
    bare: () => event(addresses.webhook.bare, payers),
  });
  return [
    {
      name: 'GET /plan',
      competes: false,
      product: () => ({
        method: 'GET',
        url: addresses.plan.product,
        headers: { authorization: `Bearer ${token()}` },
      }),
      bare: () => ({ method: 'GET', url: addresses.plan.bare, headers: { 'x-user': account.id } }),
    },
    {
      name: 'POST /waitlist',
      competes: false,
      product: () => joining(addresses.waitlist.product),
      bare: () => joining(addresses.waitlist.bare),
    },
    webhook(`Webhook, ${PAYERS} payers`, PAYERS),
    webhook('Webhook, one payer', 1),
  ];
}

const newEntry = () => ({ email: `${randomUUID()}@example.com`, name: 'Ada Lovelace' });

/** Signed now: Stripe's library refuses signatures older than five minutes. */
function signedEvent(url: URL, body: string): LoadRequest {
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex');
  return {
    method: 'POST',
    url,
    headers: { ...JSON_TYPE, 'stripe-signature': `t=${time},v1=${signature}` },
    body,
  };
}

/** An event about a subscription of each payer, as JSON. */
async function eventsOfPayers(
  world: World,
  { table, stage }: { table: string; stage: string },
  { AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION }: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { stripe } = world;
  const client = new DynamoDBClient({
    endpoint: String(AWS_ENDPOINT_URL_DYNAMODB),
    region: String(AWS_REGION),
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const tables = DynamoDBDocumentClient.from(client);
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
    product_data: { name: 'Plus' },
  });
  const events: string[] = [];
  for (let payer = 0; payer < PAYERS; payer += 1) {
    const id = randomUUID();
    // The bare server reads `user_id`.
    const metadata = { ...markOf(stage, id), user_id: id };
    const customer = await stripe.customers.create({ metadata, email: `${id}@example.com` });
    const now = new Date().toISOString();
    const row: UserPlan = {
      id,
      plan: 'free',
      billing_customer_id: customer.id,
      created_at: now,
      updated_at: now,
      version: 1,
    };
    await tables.send(new PutCommand({ TableName: table, Item: row }));
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      ui_mode: 'embedded_page',
      customer: customer.id,
      line_items: [{ price: price.id, quantity: 1 }],
      return_url: 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}',
      subscription_data: { metadata },
    });
    const paid = await world.payCheckout(session.client_secret);
    if (!paid.ok) throw new Error(`The checkout answered ${paid.status}: ${await paid.text()}`);
    const { data } = await stripe.subscriptions.list({ customer: customer.id });
    const [subscription] = data;
    if (!subscription) throw new Error('A paid checkout has no subscription.');
    events.push(JSON.stringify(eventAbout(subscription)));
  }
  client.destroy();
  // Resolves when Stripe has delivered the events of these purchases.
  await world.advance('PT1S');
  return events;
}

const eventAbout = (object: Stripe.Subscription) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  created: Math.floor(Date.now() / 1000),
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: 'customer.subscription.updated',
});
