import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Stripe } from 'stripe';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CursorPosition, EventCursor } from '../../../functions/adapters/dynamodb/event-cursor.ts';
import { CLIENT_OPTIONS } from '../../../functions/adapters/stripe/connection.ts';
import { MAXIMUM_TRIES } from '../../../functions/schedules/billing-tasks.ts';
import type { Fault, FaultName } from '../../../infra/local/vendors/stripe/faults.ts';
import type { BillingTask, BillingWork } from '../../../schemas/billing-task.ts';
import {
  type Answer,
  type BillingWorld,
  startBillingWorld,
  type User,
} from '../../fixtures/billing-world.ts';
import { nameOfStripeCall } from '../../fixtures/call-recorder.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';
import { MemoryTasks } from '../../fixtures/memory-tasks.ts';
import * as given from '../../fixtures/refused-customer.ts';
import {
  type Customer,
  hear,
  loseWebhooks,
  otherRoutes,
  type State,
} from '../../fixtures/refused-customer.ts';
import { HOUR, type StripeStandIn } from '../../fixtures/stripe-stand-in.ts';

/**
 * Every call to Stripe is refused in every way: once, and for as long as the refusal lasts. It is the call for
 * one user where a call is for one user. Then:
 *
 * - the user can buy, cancel and delete the account. Where the refused call is what the press is about, the
 *   answer is 503 with `stripe-unavailable`, and it works once the refusal ends. The table says which;
 * - the plan stays as it was decided, and nobody who pays is taken off Plus;
 * - another user's events are followed, and the catch-up's cursor moves;
 * - what is left is a task. It is tried every hour. After a refusal that ended within two weeks, all is done
 *   within an hour and a run, so within two hours. Otherwise it is given up. The log names it after a day and
 *   at its end.
 */

// What is left after a press that failed at Stripe is nothing: the user presses again.
interface Told {
  /** Answer to the press, the event or the run that meets the refusal. `thrown` where a schedule threw. */
  act: string;
  /** Answers to a further press, by status. Absent where the user's state has no such press. */
  cancel?: string;
  buy?: string;
  delete: string;
  /** The plan that the user is shown. */
  plan: 'free' | 'plus';
  /** The tasks that stay while the refusal lasts, and those after the account was deleted. */
  left: string;
  leftAtDeletion: string;
}

interface Row {
  /** As in calls.test.ts. */
  call: string;
  /** What the call is made for. */
  when: string;
  given: State;
  /** What the refused calls mention: only those for this user are refused. By default all are. */
  mentions?: keyof typeof given.mentions;
  act: (world: BillingWorld, customer: Customer) => Promise<string>;
  /** Another refusal, met once, that leads to this call. */
  after?: Pick<Fault, 'fault' | 'method' | 'path'>;
  /** What happens while the refusal lasts. */
  told: Partial<Told>;
  /** The answer to `act` where it is refused once. By default the library's own retry is answered. */
  once?: string;
  /** Where a kind of refusal makes a difference. */
  unlike?: Partial<Record<FaultName, { [T in keyof Told]?: Told[T] | undefined }>>;
}

const faultNames = [
  'bad-request',
  'not-found',
  // Stripe's page on rate limits names 429 as the status of a lock timeout.
  'lock-timeout',
  'key-in-use',
  'rate-limited',
  'rate-limited-with-retry-after',
  'dropped-after',
  'dropped-before',
] as const satisfies readonly FaultName[];

/** Faults that Stripe's library meets with another try of its own. */
const retriedByTheLibrary: ReadonlySet<FaultName> = new Set([
  'lock-timeout',
  'key-in-use',
  'dropped-before',
  'dropped-after',
]);

const status = (answer: Answer): string => String(answer.status);
const press = {
  /** Of the plan that is shown. Its row names no subscription once the end is scheduled. */
  cancel: async (world: BillingWorld, { ada, subscription }: Customer) =>
    status(await world.cancel(ada, (await world.rowOf(ada))?.stripe_subscription_id ?? subscription)),
  buy: async (world: BillingWorld, { ada }: Customer) => status(await world.openCheckout(ada)),
  renew: async (world: BillingWorld, { ada }: Customer) => status(await world.renew(ada)),
  delete: async (world: BillingWorld, { ada }: Customer) => status(await world.deleteAccount(ada)),
};
const visit =
  (name: Parameters<Awaited<ReturnType<typeof otherRoutes>>>[0], request = {}) =>
  async (world: BillingWorld, { ada }: Customer) =>
    status(await (await otherRoutes(world))(name, ada, request));
const event =
  (type: string) =>
  (world: BillingWorld, { customer }: Customer) =>
    hear(world, type, customer);
const catchUp = (world: BillingWorld): Promise<string> =>
  world.catchUp().then(
    () => 'done',
    () => 'thrown',
  );
const returned = async (world: BillingWorld, customer: Customer) =>
  status(await world.sessionStatus(customer.ada, await given.mentions.session(world, customer)));

/** A press that does not go through: nothing is left, the user presses again. */
const again = { act: '503', delete: '200', left: '', leftAtDeletion: '' };
/** Something of no account to the user fails. It is left as a task. */
const kept = { act: '200', buy: '200', delete: '200', left: 'follow', leftAtDeletion: 'end' };
/** Nothing depends on it. */
const unnoticed = {
  act: '200',
  buy: '200',
  delete: '200',
  left: '',
  leftAtDeletion: '',
  plan: 'free',
} as const;
const onPlus = { cancel: '200', buy: '200', plan: 'plus' } as const;
/** Its worst consequence is a further request at Stripe. */
const nothingLeft = { left: '', leftAtDeletion: '' };

const created = event('customer.subscription.created');
const deleted = event('customer.subscription.deleted');
const updateCard = visit('update-card', { body: {} });

const table: Row[] = [
  // Every decision is made from this list. Its tasks are left by the catch-up.
  {
    call: 'GET /v1/subscriptions',
    when: 'an event',
    given: given.plus,
    mentions: 'customer',
    act: created,
    told: { ...again, cancel: '503', buy: '503', plan: 'plus', left: 'follow', leftAtDeletion: 'end' },
    unlike: { 'not-found': { leftAtDeletion: '' } },
  },
  {
    call: 'GET /v1/subscriptions',
    when: 'buying',
    given: given.ended,
    mentions: 'customer',
    act: press.buy,
    told: { ...again, buy: '503', plan: 'free', left: 'follow', leftAtDeletion: 'end' },
    unlike: { 'not-found': { leftAtDeletion: '' } },
  },
  {
    call: 'GET /v1/subscriptions/:id',
    when: 'cancelling what has ended',
    given: given.pastDue,
    mentions: 'subscription',
    act: press.cancel,
    after: { fault: 'not-found', method: 'DELETE', path: '/v1/subscriptions/:id' },
    told: { ...again, ...onPlus },
    once: '503',
  },
  // Without an answer, it is cancelled or renewed all the same, and the next press finds it so.
  {
    call: 'POST /v1/subscriptions/:id',
    when: 'cancelling',
    given: given.plus,
    mentions: 'subscription',
    act: press.cancel,
    told: { ...again, ...onPlus, cancel: '503' },
    unlike: { 'dropped-after': { cancel: '409' } },
  },
  {
    call: 'POST /v1/subscriptions/:id',
    when: 'renewing',
    given: given.ending,
    mentions: 'subscription',
    act: press.renew,
    told: { ...again, ...onPlus, cancel: '409' },
    unlike: { 'dropped-after': { cancel: '503' } },
  },
  // A mark that Stripe doesn't allow is done without.
  {
    call: 'POST /v1/subscriptions/:id',
    when: 'marking a duplicate',
    given: given.paidTwice,
    mentions: 'subscription',
    act: created,
    told: { ...kept, ...onPlus },
    unlike: { 'bad-request': nothingLeft, 'not-found': nothingLeft, 'dropped-after': nothingLeft },
  },
  {
    call: 'POST /v1/subscriptions/:id',
    when: 'marking what has ended',
    given: given.endedUnpaid,
    mentions: 'subscription',
    act: deleted,
    told: { ...kept, plan: 'free' },
    unlike: { 'bad-request': nothingLeft, 'not-found': nothingLeft, 'dropped-after': nothingLeft },
  },
  {
    call: 'DELETE /v1/subscriptions/:id',
    when: 'cancelling while past due',
    given: given.pastDue,
    mentions: 'subscription',
    act: press.cancel,
    told: { ...again, ...onPlus, cancel: '503' },
    unlike: { 'dropped-after': { plan: 'free', cancel: undefined } },
  },
  // Deleting the customer ends its subscriptions too. What has ended may be refused.
  {
    call: 'DELETE /v1/subscriptions/:id',
    when: 'ending a duplicate',
    given: given.paidTwice,
    mentions: 'subscription',
    act: created,
    told: { ...kept, ...onPlus },
    unlike: { 'bad-request': { leftAtDeletion: '' }, 'not-found': { leftAtDeletion: '' } },
  },
  {
    call: 'DELETE /v1/subscriptions/:id',
    when: 'buying, another is unpaid',
    given: given.incomplete,
    mentions: 'subscription',
    act: press.buy,
    told: unnoticed,
  },
  {
    call: 'GET /v1/invoices',
    when: 'voiding what is open',
    given: given.endedUnpaid,
    mentions: 'subscription',
    act: deleted,
    told: { ...kept, plan: 'free' },
  },
  {
    call: 'GET /v1/invoices',
    when: 'the list of invoices',
    given: given.plus,
    mentions: 'customer',
    act: visit('billing'),
    told: { ...again, ...onPlus },
  },
  {
    call: 'POST /v1/invoices/:id/void',
    when: 'voiding what is open',
    given: given.endedUnpaid,
    mentions: 'invoice',
    act: deleted,
    told: { ...kept, plan: 'free' },
    unlike: { 'dropped-after': nothingLeft },
  },
  // Left for an hour, in which Stripe itself finalizes the draft.
  {
    call: 'POST /v1/invoices/:id/finalize',
    when: 'cancelling in the first hour',
    given: given.inTheRenewalHour,
    mentions: 'invoice',
    act: press.cancel,
    told: unnoticed,
  },
  {
    call: 'GET /v1/invoice_payments',
    when: 'refunding a duplicate',
    given: given.paidTwice,
    mentions: 'invoice',
    act: created,
    told: { ...kept, ...onPlus },
  },
  {
    call: 'POST /v1/refunds',
    when: 'refunding a duplicate',
    given: given.paidTwice,
    mentions: 'payment',
    act: created,
    told: { ...kept, ...onPlus },
  },
  {
    call: 'GET /v1/charges',
    when: 'exporting',
    given: given.plus,
    mentions: 'customer',
    act: visit('export'),
    told: { ...again, ...onPlus },
  },
  {
    call: 'POST /v1/customers',
    when: 'buying for the first time',
    given: given.newcomer,
    mentions: 'user',
    act: press.buy,
    told: { ...again, buy: '503', plan: 'free' },
  },
  {
    call: 'POST /v1/customers/:id',
    when: 'changing the card',
    given: given.plus,
    mentions: 'customer',
    act: updateCard,
    told: { ...again, ...onPlus },
  },
  // Whose customer it is, nobody knows as long as Stripe doesn't say. A purchase asks for the subscriptions.
  {
    call: 'GET /v1/customers/:id',
    when: 'an event that names no user',
    given: given.soldBySupport,
    mentions: 'customer',
    act: created,
    told: { ...again, buy: '409', plan: 'free', left: 'follow' },
  },
  {
    call: 'DELETE /v1/customers/:id',
    when: 'deleting the account',
    given: given.plus,
    mentions: 'customer',
    act: press.delete,
    told: { delete: '200', leftAtDeletion: 'end' },
  },
  {
    call: 'POST /v1/checkout/sessions',
    when: 'buying',
    given: given.ended,
    mentions: 'customer',
    act: press.buy,
    told: { ...again, buy: '503', plan: 'free' },
  },
  {
    call: 'GET /v1/checkout/sessions/:id',
    when: 'buying, a checkout is open',
    given: given.withOpenCheckout,
    mentions: 'session',
    act: press.buy,
    told: unnoticed,
  },
  {
    call: 'GET /v1/checkout/sessions/:id',
    when: 'returning from checkout',
    given: given.withOpenCheckout,
    mentions: 'session',
    act: returned,
    told: { ...unnoticed, act: '503' },
    unlike: { 'not-found': { act: '404' } },
  },
  {
    call: 'POST /v1/checkout/sessions/:id/expire',
    when: 'buying at a new price',
    given: given.withOldPrice,
    mentions: 'session',
    act: press.buy,
    told: unnoticed,
  },
  {
    call: 'POST /v1/billing_portal/sessions',
    when: 'changing the card',
    given: given.plus,
    mentions: 'customer',
    act: updateCard,
    told: { ...again, ...onPlus },
  },
  // For nobody in particular. The ids are kept, so the first user of a process asks for all.
  {
    call: 'GET /v1/prices',
    when: 'the first purchase',
    given: given.newcomer,
    act: press.buy,
    told: { act: '503', buy: '503', plan: 'free', left: '' },
  },
  {
    call: 'POST /v1/prices',
    when: 'the first purchase',
    given: given.newcomer,
    act: press.buy,
    told: { act: '503', buy: '503', plan: 'free', left: '' },
    unlike: { 'dropped-after': { buy: '200' } },
  },
  {
    call: 'GET /v1/billing_portal/configurations',
    when: 'the first change',
    given: given.plus,
    act: updateCard,
    told: { act: '503', cancel: '200', plan: 'plus', left: '' },
  },
  {
    call: 'POST /v1/billing_portal/configurations',
    when: 'the first change',
    given: given.plus,
    act: updateCard,
    told: { act: '503', cancel: '200', plan: 'plus', left: '' },
  },
  // The cursor stays, and no event is missed.
  {
    call: 'GET /v1/events',
    when: 'the catch-up',
    given: given.plus,
    act: catchUp,
    once: 'done',
    told: { act: 'thrown', cancel: '200', plan: 'plus', left: '' },
  },
];

const seen = new Set<string>();

/** The product's client, with its retries and without the pauses between them. */
function productClient({ origin }: StripeStandIn): Stripe {
  const { hostname, port } = new URL(origin);
  const client = new Stripe('sk_test_local', { host: hostname, port, protocol: 'http', ...CLIENT_OPTIONS });
  vi.spyOn(client, 'getInitialNetworkRetryDelay').mockReturnValue(0);
  vi.spyOn(client, 'getMaxNetworkRetryDelay').mockReturnValue(0);
  client.on('request', ({ method, path }: Stripe.RequestEvent) => {
    seen.add(nameOfStripeCall({ method, path, headers: {}, body: Buffer.alloc(0) }).replace('Stripe ', ''));
  });
  return client;
}

let world: BillingWorld;
let tasks: MemoryTasks;

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

/**
 * What a user does who meets a refusal. `once`: it doesn't last. `stays`: it ends after three hours. `buys`:
 * Plus ends meanwhile, and the user buys again. `leaves`: deletes the account. `ever`: it never ends.
 */
type Mode = 'once' | 'stays' | 'buys' | 'leaves' | 'ever';

/** A user whose calls meet a refusal. */
interface Cell {
  fault: FaultName;
  mode: Mode;
  customer: Customer;
  told: Partial<Told>;
  failures: string[];
  refuse: () => void;
  accept: () => void;
}

/** Brings users into a row's state. The new world has no tasks and no unread events. */
async function cellsOf(row: Row, kinds: readonly [FaultName, Mode][]): Promise<Cell[]> {
  tasks = new MemoryTasks();
  const stores = { plans: new MemoryPlans(), tasks, cursor: memoryCursor() };
  world = await startBillingWorld(undefined, { clientOf: productClient, stores });
  loseWebhooks(world);
  const begun: Customer[] = [];
  for (const _ of kinds) begun.push(await row.given.begin(world));
  if (row.given.wait !== undefined) await world.advance(row.given.wait);
  const cells: Cell[] = [];
  for (const [index, [fault, mode]] of kinds.entries()) {
    const before = begun[index];
    if (!before) throw new Error('A user is missing.');
    const customer = (await row.given.end?.(world, before)) ?? before;
    cells.push({
      fault,
      mode,
      customer,
      told: {},
      failures: [],
      ...(await refusalOf(row, fault, mode, customer)),
    });
  }
  // All that happened so far is in the past for the catch-up.
  await world.dependencies.cursor.move({ from: new Date(Date.now() - HOUR / 6) });
  return cells;
}

async function refusalOf(
  row: Row,
  faultName: FaultName,
  mode: Mode,
  customer: Customer,
): Promise<Pick<Cell, 'refuse' | 'accept'>> {
  const { faults } = world.stripe.service;
  const [method = '', path = ''] = row.call.split(' ');
  const mentioned = row.mentions && (await given.mentions[row.mentions](world, customer));
  const fault = {
    fault: faultName,
    method: method as Fault['method'],
    path,
    ...(mentioned !== undefined && { mentions: mentioned }),
  };
  let accept = (): unknown => undefined;
  return {
    refuse() {
      if (row.after) faults.add({ ...row.after, mentions: customer.subscription });
      if (mode === 'once') faults.add(fault);
      else accept = faults.addLasting(fault);
    },
    accept: () => void accept(),
  };
}

/** A user's tasks. */
const tasksOf = ({ ada, customer }: Customer): BillingTask[] =>
  [...tasks.items.values()].filter(
    ({ user_id, customer_id }) => user_id === ada.id || customer_id === customer,
  );

const worksOf = (customer: Customer): string =>
  tasksOf(customer)
    .map(({ work }) => work satisfies BillingWork)
    .toSorted()
    .join(' ');

function memoryCursor(): EventCursor {
  let position: CursorPosition | undefined;
  return {
    read: async () => position,
    move: async (to) => {
      position = to;
    },
  };
}

/** Gives a user a customer with a card. Resolves with a function that subscribes it in Stripe. */
async function buyerOf(user: User): Promise<() => Promise<unknown>> {
  const { stripe } = world.stripe;
  const metadata = { user_id: user.id };
  const customer = await stripe.customers.create({ email: user.email, metadata });
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
    product_data: { name: 'Plus' },
  });
  await world.plans.adoptCustomer(user.id, customer.id, undefined, new Date());
  return () =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: card.id,
      metadata,
    });
}

/** All that Stripe has. */
async function stripeState() {
  const { stripe } = world.stripe;
  const all = <T>(list: Stripe.ApiListPromise<T>): Promise<T[]> => list.autoPagingToArray({ limit: 10_000 });
  const limit = 100;
  return {
    customers: await all(stripe.customers.list({ limit })),
    subscriptions: await all(stripe.subscriptions.list({ status: 'all', limit })),
    invoices: await all(stripe.invoices.list({ limit })),
    charges: await all(stripe.charges.list({ limit })),
  };
}

/** What Stripe would still take, or has kept, and shouldn't; and a plan that differs from Stripe. */
async function looseEndsOf(
  row: Row,
  { ada, customer: known }: Customer,
  state: Awaited<ReturnType<typeof stripeState>>,
): Promise<string[]> {
  const saved = await world.rowOf(ada);
  const customer = saved?.billing_customer_id ?? known;
  const isTheirs = (object: { customer: unknown }) => object.customer === customer;
  const subscriptions = state.subscriptions.filter(isTheirs);
  const isRunning = ({ status: one }: Stripe.Subscription) =>
    ['active', 'past_due', 'trialing'].includes(one);
  const running = subscriptions.filter(isRunning);
  const single = running.filter(({ metadata }) => !metadata['surplus']);
  const ended = subscriptions.filter(({ status: one }) => ['canceled', 'incomplete_expired'].includes(one));
  const isCollectable = (invoice: Stripe.Invoice) =>
    (invoice.status === 'open' || invoice.status === 'draft') &&
    ended.some(({ id }) => id === invoice.parent?.subscription_details?.subscription);
  const paid = state.charges.filter((charge) => isTheirs(charge) && charge.paid && !charge.refunded);
  const found: Record<string, boolean> = {
    'a duplicate is running': running.length > single.length,
    'two subscriptions are running': single.length > 1,
    'a duplicate is not marked': ended.some(({ metadata }) => metadata['surplus'] === 'found'),
    'two payments are kept': row.given === given.paidTwice && paid.length > 1,
    'an invoice of an ended subscription can be collected': state.invoices.some(isCollectable),
    'a subscription outlives the account': !saved && running.length > 0,
    // A customer whose id Stripe never told, because the answer was lost, is known to nobody.
    'a customer outlives the account': !saved && state.customers.some(({ id }) => id === customer),
    'the customer was replaced': known !== '' && customer !== known,
    'the plan differs from Stripe': saved !== undefined && (saved.plan === 'plus') !== single.length > 0,
  };
  return Object.keys(found).filter((name) => found[name]);
}

const lines: string[] = [];
const widths = [36, 29, 9];
const line = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 14))
    .join(' ')
    .trimEnd();

afterAll(() => {
  const head = line(['refused call', 'for', 'answer to', ...faultNames.map((name) => name.slice(0, 14))]);
  process.stdout.write(`\nOnce, then while it lasts:\n${[head, ...lines].join('\n')}\n`);
});

const expectedOf = ({ told, unlike }: Row, fault: FaultName): Partial<Told> =>
  Object.fromEntries(
    Object.entries({ ...told, ...unlike?.[fault] }).filter(([, value]) => value !== undefined),
  );

/** What the refusals of a row do to users who meet them at the same time, each their own. */
async function run(row: Row, kinds: readonly [FaultName, Mode][]): Promise<Cell[]> {
  const cells = await cellsOf(row, kinds);
  const bob = await world.signUp();
  const pay = await buyerOf(bob);
  const each = async (modes: Mode[], work: (cell: Cell) => Promise<void>): Promise<void> => {
    for (const cell of cells) {
      if (!modes.includes(cell.mode)) continue;
      try {
        await work(cell);
      } catch (error) {
        cell.failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const planOf = async ({ customer }: Cell) => (await world.plan(customer.ada)).body['plan'] as Told['plan'];

  await each(['once', 'stays', 'buys', 'leaves', 'ever'], async (cell) => {
    const { customer, mode, told, refuse } = cell;
    if (mode === 'buys' && (await planOf(cell)) !== 'plus') return;
    refuse();
    if (mode === 'leaves' && row.act === press.delete) return;
    told.act = await row.act(world, customer);
  });
  await each(['leaves'], async ({ customer, told }) => {
    told.delete = await press.delete(world, customer);
  });
  await each(['buys'], async ({ customer, told, refuse, accept }) => {
    if (told.act === undefined) return;
    accept();
    for (const { id, status: state } of await world.subscriptionsOf(customer.ada)) {
      if (state !== 'canceled') await world.stripe.stripe.subscriptions.cancel(id);
    }
    await world.stripe.service.allDelivered();
    refuse();
    told.buy = await press.buy(world, customer);
  });

  for (const { accept } of cells) if (row.mentions === undefined) accept();
  await pay();
  for (const { mode, refuse } of cells) if (row.mentions === undefined && mode !== 'once') refuse();
  const paidAt = Date.now();
  await world.advance(HOUR);
  const caughtUp = await catchUp(world);
  const { from } = (await world.dependencies.cursor.read()) ?? { from: new Date(0) };
  if (row.call !== 'GET /v1/events') {
    expect({ caughtUp, bob: (await world.rowOf(bob))?.plan }).toEqual({ caughtUp: 'done', bob: 'plus' });
    expect(from.getTime()).toBeGreaterThan(paidAt);
  }

  await each(['stays'], async (cell) => {
    const { customer, told } = cell;
    told.plan = await planOf(cell);
    if (told.plan === 'plus') told.cancel = await press.cancel(world, customer);
    else told.buy = await press.buy(world, customer);
  });
  await world.advance(HOUR);
  await world.runTasks();
  await each(['stays', 'leaves'], async ({ mode, customer, told }) => {
    const left = tasksOf(customer);
    if (mode === 'stays') told.left = worksOf(customer);
    else told.leftAtDeletion = worksOf(customer);
    for (const { tries, due } of left) {
      expect({ tries, due }).toEqual({ tries: 1, due: new Date(Date.now() + HOUR).toISOString() });
    }
  });

  await each(['ever'], async (cell) => {
    const { customer, told } = cell;
    for (const task of tasksOf(customer)) {
      const key = `${task.work}#${task.customer_id}`;
      expect(task.tries).toBe(1);
      tasks.items.set(key, { ...task, tries: MAXIMUM_TRIES - 2 });
    }
    delete told.act;
  });
  await world.advance(HOUR);
  await world.runTasks();
  await each(['ever'], async ({ customer }) => {
    expect(tasksOf(customer)).not.toEqual([]);
    for (const task of tasksOf(customer)) {
      expect(task).toMatchObject({ tries: MAXIMUM_TRIES - 1 });
      expect(task).not.toHaveProperty('given_up');
    }
  });
  await world.advance(HOUR);
  await world.runTasks();
  await each(['ever'], async (cell) => {
    const { customer, told } = cell;
    const [task] = tasksOf(customer);
    expect(task).toMatchObject({ tries: MAXIMUM_TRIES, given_up: true });
    const { work, customer_id, user_id = null, since } = task ?? {};
    const named = {
      event: 'billing-stuck',
      work,
      customer: customer_id,
      user: user_id,
      since,
      givenUp: true,
    };
    expect(console.error).toHaveBeenCalledWith(expect.objectContaining(named));
    const plan = await planOf(cell);
    if (plan === 'plus') told.cancel = await press.cancel(world, customer);
    else told.buy = await press.buy(world, customer);
    expect(await press.delete(world, customer)).toBe('200');
  });

  world.stripe.service.faults.clear();
  await world.advance(HOUR);
  await world.runTasks();
  await catchUp(world);
  const state = await stripeState();
  await each(['once', 'stays', 'leaves'], async ({ customer }) => {
    expect(worksOf(customer)).toBe('');
    expect(await looseEndsOf(row, customer, state)).toEqual([]);
  });
  // What Stripe did without an answer is refused as done.
  await each(['stays'], async ({ customer, told }) => {
    if (told.cancel === '503') expect(await press.cancel(world, customer)).toMatch(/200|409/);
    if (told.buy === '503') expect(await press.buy(world, customer)).toMatch(/200|409/);
  });
  await world.close();
  return cells;
}

/** The product asks for its price and its portal again once a request with them is refused. */
const isKeptId = ({ call }: Row, fault: FaultName): boolean =>
  ['POST /v1/checkout/sessions', 'POST /v1/billing_portal/sessions'].includes(call) &&
  ['bad-request', 'not-found'].includes(fault);

function modesOf(row: Row, fault: FaultName): Mode[] {
  const { act, mentions } = row;
  if (act === press.delete) return ['once', 'leaves'];
  // A refusal for nobody in particular needs a world for each user.
  if (mentions === undefined) return ['once', 'stays'];
  return ['once', 'stays', 'buys', 'leaves', ...(expectedOf(row, fault).left ? (['ever'] as const) : [])];
}

describe('a refusal by Stripe locks nobody out', () => {
  test.each(table)('$call, $when', async (row) => {
    const kinds = faultNames.flatMap((fault) =>
      modesOf(row, fault).map((mode): [FaultName, Mode] => [fault, mode]),
    );
    const cells: Cell[] = [];
    if (row.mentions !== undefined) cells.push(...(await run(row, kinds)));
    else for (const kind of kinds) cells.push(...(await run(row, [kind])));

    const failures: string[] = [];
    const printed: Record<string, string[]> = {};
    for (const fault of faultNames) {
      const ofFault = cells.filter((cell) => cell.fault === fault);
      for (const { mode, failures: found } of ofFault) {
        failures.push(...found.map((text) => `${fault}, ${mode}: ${text}`));
      }
      const first = ofFault.find(({ mode }) => mode === 'once')?.told.act;
      const told: Partial<Told> = Object.assign(
        {},
        ...ofFault.filter(({ mode }) => mode !== 'once').map((cell) => cell.told),
      );
      for (const [name, value] of Object.entries(told)) {
        (printed[name] ??= []).push(name === 'act' ? `${first} ${value}` : value);
      }
      const refusedOnce =
        retriedByTheLibrary.has(fault) && told.act !== '200' ? (row.once ?? '200') : told.act;
      if (row.act !== press.delete && first !== refusedOnce && !isKeptId(row, fault)) {
        failures.push(`${fault}: refused once, it answered ${first}`);
      }
      const expected = expectedOf(row, fault);
      if (!isDeepStrictEqual(told, expected)) failures.push(`${fault}: ${JSON.stringify(told)}`);
    }
    for (const [index, [name, values]] of Object.entries(printed).entries()) {
      lines.push(line([index === 0 ? row.call : '', index === 0 ? row.when : '', name, ...values]));
    }
    expect(failures).toEqual([]);
  });
});

test('the table has every call to Stripe that the product makes, and no other', () => {
  const calls = readFileSync(new URL('calls.test.ts', import.meta.url), 'utf8');
  const listed = [...calls.matchAll(/Stripe ((?:GET|POST|DELETE) \/v1\/[\w/:]+)/g)].map(([, call]) => call);
  expect([...new Set(table.map(({ call }) => call))].toSorted()).toEqual([...seen].toSorted());
  expect(listed.filter((call) => !seen.has(String(call)))).toEqual([]);
});
