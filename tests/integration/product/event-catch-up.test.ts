import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test as base } from 'vitest';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import { Clock } from '../../../infra/local/base/clock.ts';
import { listen, type Loopback } from '../../../infra/local/base/loopback.ts';
import { Store } from '../../../infra/local/base/store.ts';
import type { RecordedEvent } from '../../../infra/local/vendors/stripe/ledger.ts';
import { StripeService } from '../../../infra/local/vendors/stripe/service.ts';
import { type BillingFixtures, billingFixtures } from '../../fixtures/worlds/billing-fixtures.ts';
import { DAY, HOUR, startStripe } from '../../fixtures/worlds/stripe-stand-in.ts';

const test = base.extend<BillingFixtures>(billingFixtures);

describe('the event catch-up over the tables and the stand-in', () => {
  const client = async () => (await import('../../../functions/adapters/dynamodb/client.ts')).dynamodb;
  /** The items of StripeWork that are cursors. */
  const cursors = async () => {
    const { Items = [] } = await (await client()).send(new ScanCommand({ TableName: 'StripeWork' }));
    return Items.filter(({ kind }) => kind === 'cursor');
  };
  const setCursor = async (from: Date) =>
    (await client()).send(
      new PutCommand({
        TableName: 'StripeWork',
        Item: { kind: 'cursor', id: 'stripe-events', read_from: from.toISOString() },
      }),
    );
  const cursorAt = (milliseconds: number) => [
    { kind: 'cursor', id: 'stripe-events', read_from: new Date(milliseconds).toISOString() },
  ];

  test('makes up for a week without webhooks and without itself', async ({ world, ada }) => {
    const eve = await world.signUp();
    world.webhooks.deliver = async () => 500;
    await setCursor(new Date());
    await world.buy(ada);
    await world.advance(6 * DAY);
    await world.buy(eve);
    await world.advance(DAY);
    expect(await world.catchUp()).toMatchObject({ unfinished: false });
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'plus' });
    expect(await world.rowOf(eve)).toMatchObject({ plan: 'plus' });
    expect(await cursors()).toEqual(cursorAt(Date.now() - 600_000));
  });

  test('makes up for more days than Stripe lists events', async ({ world, ada }) => {
    const eve = await world.signUp();
    world.webhooks.deliver = async () => 500;
    await setCursor(new Date());
    await world.buy(ada);
    await world.advance(40 * DAY);
    await world.buy(eve);
    await world.advance(HOUR);
    expect(await world.catchUp()).toMatchObject({ unfinished: false });
    expect(await world.rowOf(ada)).toMatchObject({ plan: 'plus' });
    expect(await world.rowOf(eve)).toMatchObject({ plan: 'plus' });
    expect(await cursors()).toEqual(cursorAt(Date.now() - 600_000));
  });
});

describe('the list of events', () => {
  let store: Store;
  let clock: Clock;
  let service: StripeService;
  let server: Loopback;
  let stripe: Stripe;
  let requests: string[];
  let now: number;

  beforeAll(async () => {
    store = new Store(':memory:');
    clock = new Clock();
    service = new StripeService({
      clock,
      store,
      origin: 'http://stripe.local',
      secretKey: 'sk_test_local',
      webhook: { url: 'http://127.0.0.1:1', secret: 'whsec_local' },
    });
    server = await listen(0, service.handle);
    stripe = new Stripe('sk_test_local', {
      host: '127.0.0.1',
      port: server.port,
      protocol: 'http',
      telemetry: false,
    });
    stripe.on('request', ({ path }: { path: string }) => requests.push(path));
    now = Math.floor(clock.now().getTime() / 1000);
    const elsewhere = await startStripe();
    const customer = await elsewhere.stripe.customers.create({ email: 'ada@example.com' });
    await elsewhere.close();
    const events = store.collection<RecordedEvent>('stripe/events');
    store.transaction(() => {
      // A busy account: an event of ours among hundreds that aren't, at the beginning and the end of an hour.
      for (const created of [now - 3_600, now - 1]) {
        for (let index = 0; index < 1_500; index += 1) {
          const recorded = eventOf(index === 700 ? 'customer.deleted' : 'customer.updated', {
            created,
            index,
            customer,
          });
          events.put(recorded.event.id, recorded);
        }
      }
    });
  });
  beforeEach(() => void (requests = []));
  afterAll(async () => {
    await service.stop();
    await server.close();
    await clock.stop();
    store.close();
  });

  const eventOf = (
    type: Stripe.Event.Type,
    { created, index, customer }: { created: number; index: number; customer: Stripe.Customer },
  ): RecordedEvent => ({
    event: {
      id: `evt_${created}_${index}`,
      object: 'event',
      api_version: null,
      created,
      data: { object: customer },
      livemode: false,
      pending_webhooks: 0,
      request: null,
      type,
    },
    delivery: { state: 'delivered', attempts: 1, lastStatus: 200 },
  });

  const listed = async (from: number, to: number): Promise<number[]> => {
    const events: number[] = [];
    const billing = billingOver(async () => ({ stripe, webhookSecret: 'whsec_local' }), 'test');
    for await (const event of billing.eventsBetween(from, to)) {
      events.push((event as Stripe.Event).created);
    }
    return events;
  };

  test('is asked for our types only, so that thousands of other events cost nothing', async () => {
    expect(await listed(now - 3_600, now)).toEqual([now - 1, now - 3_600]);
    expect(requests).toHaveLength(1);
  });

  test('begins with a second and ends before a second', async () => {
    expect(await listed(now - 3_599, now)).toEqual([now - 1]);
    expect(await listed(now - 3_600, now - 1)).toEqual([now - 3_600]);
    expect(await listed(now - 3_599, now - 1)).toEqual([]);
  });
});
