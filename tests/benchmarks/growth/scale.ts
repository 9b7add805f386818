import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Stripe } from 'stripe';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { expiryShard } from '../../../functions/domain/expiry-shard.ts';
import { Clock } from '../../../infra/local/base/clock.ts';
import { listen } from '../../../infra/local/base/loopback.ts';
import { type Collection, Store } from '../../../infra/local/base/store.ts';
import type { RecordedEvent } from '../../../infra/local/vendors/stripe/ledger.ts';
import { StripeService } from '../../../infra/local/vendors/stripe/service.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import type { PlansTable } from '../../../functions/adapters/dynamodb/plans-table.ts';
import { createPlansTable } from '../../fixtures/worlds/dynamodb-tables.ts';

// DynamoDB takes this many rows in one BatchWriteItem.
const BATCH = 25;
const AT_ONCE = 8;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const customerOf = (index: number): string => `cus_${index}`;
export const userOf = (index: number): string => `user-${index}`;

/** A table of `total` users, and a Stripe with `total` customers and old events. */
export interface Scale {
  total: number;
  table: string;
  plans: PlansTable;
  billing: Billing;
  clock: Clock;
  /** Requests to the table, to StripeWork and to Stripe so far, answered or not. */
  requests: () => number;
  write(rows: Iterable<UserPlan>): Promise<void>;
  /** Records an event about each of the first `count` customers' subscriptions, `ago` milliseconds old. */
  emit(count: number, ago: number): void;
  close(): Promise<void>;
}

/** A row on Free, on Plus, or (one in ten) on Plus until a month from `now`. */
export function rowOf(index: number, now: Date): UserPlan {
  const id = userOf(index);
  const ending = index % 10 === 0;
  return {
    id,
    plan: index % 3 === 0 || ending ? 'plus' : 'free',
    billing_customer_id: customerOf(index),
    ...(ending && {
      plan_expires_at: new Date(now.getTime() + 30 * DAY).toISOString(),
      expiry_shard: expiryShard(id),
    }),
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    version: 1,
  };
}

/** Calls `progress` with the number of written rows. */
export async function startScale(
  dynamodb: DynamoDBDocumentClient,
  total: number,
  progress: (rows: number) => void,
): Promise<Scale> {
  const table = `UserPlans-${total}`;
  await createPlansTable(dynamodb, table);
  let requests = 0;
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      const { TableName } = args.input as { TableName?: string };
      // StripeWork is shared, and only one sweep runs at a time.
      if (TableName === table || TableName === 'StripeWork') requests += 1;
      return next(args);
    },
    { step: 'build', name: table },
  );
  const clock = new Clock();
  const store = new Store(':memory:');
  const customers: Collection<object> = store.collection('stripe/customers');
  const events: Collection<RecordedEvent> = store.collection('stripe/events');
  const stripe = await serveStripe(clock, store);
  stripe.client.on('request', () => (requests += 1));

  // Imported late: the adapters' client reads its endpoint when it is created.
  const { plansTable } = await import('../../../functions/adapters/dynamodb/plans-table.ts');
  const { billingOver } = await import('../../../functions/adapters/stripe/stripe-billing.ts');
  const scale: Scale = {
    total,
    table,
    plans: plansTable(table),
    billing: billingOver(async () => ({ stripe: stripe.client, webhookSecret: 'whsec_local' }), STAGE),
    clock,
    requests: () => requests,
    write: (rows) => writeRows(dynamodb, table, rows),
    emit(count, ago) {
      const created = Math.floor((clock.now().getTime() - ago) / 1000);
      store.transaction(() => {
        for (let index = 0; index < count; index += 1) {
          const recorded = eventOf(`evt_${created}_${index}`, index, created);
          events.put(recorded.event.id, recorded);
        }
      });
    },
    close: async () => {
      await stripe.close();
      await clock.stop();
      store.close();
    },
  };
  store.transaction(() => {
    for (let index = 0; index < total; index += 1) {
      const id = customerOf(index);
      customers.put(id, { id, object: 'customer', created: 0, metadata: markOf(STAGE, userOf(index)) });
    }
  });
  scale.emit(total, DAY);
  const now = clock.now();
  await scale.write(range(total, (index) => rowOf(index, now), progress));
  requests = 0;
  return scale;
}

function* range<T>(
  count: number,
  item: (index: number) => T,
  progress: (taken: number) => void,
): Generator<T> {
  for (let index = 0; index < count; index += 1) {
    if (index % 10_000 === 0) progress(index);
    yield item(index);
  }
}

async function writeRows(
  dynamodb: DynamoDBDocumentClient,
  table: string,
  rows: Iterable<UserPlan>,
): Promise<void> {
  const queue = rows[Symbol.iterator]();
  const writer = async () => {
    for (;;) {
      const batch = Array.from({ length: BATCH }, () => queue.next()).flatMap((next) =>
        next.done ? [] : [next.value],
      );
      if (batch.length === 0) return;
      await dynamodb.send(
        new BatchWriteCommand({
          RequestItems: { [table]: batch.map((Item) => ({ PutRequest: { Item } })) },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
}

/** The Stripe stand-in, and Stripe's library connected to it. */
async function serveStripe(clock: Clock, store: Store) {
  const service = new StripeService({
    clock,
    store,
    origin: 'http://127.0.0.1',
    secretKey: 'sk_test_local',
    webhook: { url: 'http://127.0.0.1:1', secret: 'whsec_local' },
  });
  const server = await listen(0, service.handle);
  return {
    client: new Stripe('sk_test_local', {
      host: '127.0.0.1',
      port: server.port,
      protocol: 'http',
      telemetry: false,
    }),
    close: async () => {
      await service.stop();
      await server.close();
    },
  };
}

/** An event that was delivered, as far as Stripe knows. */
const eventOf = (id: string, index: number, created: number): RecordedEvent => ({
  event: {
    id,
    object: 'event',
    api_version: null,
    created,
    data: {
      object: {
        id: `sub_${index}`,
        object: 'subscription',
        customer: customerOf(index),
        metadata: markOf(STAGE, userOf(index)),
      },
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type: 'customer.subscription.updated',
  },
  delivery: { state: 'delivered', attempts: 1, lastStatus: 200 },
});
