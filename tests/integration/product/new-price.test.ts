import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idOf } from '../../../functions/adapters/stripe/id-of.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { handleUndeliverableMail } from '../../../functions/events/undeliverable-mail.ts';
import type { Answer } from '../../../infra/operate/support/answer.ts';
import { priceMove, priceTell } from '../../../infra/operate/support/commands/price.ts';
import type { MailState, Tools } from '../../../infra/operate/support/tools.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { type BillingWorld, startBillingWorld, type User } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import { MemoryEventCursor } from '../../simulation/world/memory-event-cursor.ts';
import { type MemoryPlans, memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

/** The operator's change of price, over connections to the Stripe stand-in. */

let world: BillingWorld;
let plans: MemoryPlans;
let mail: MailState;

beforeEach(async () => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  plans = memoryPlans();
  mail = 'sent';
  const stores = { plans, cursor: new MemoryEventCursor(), tasks: memoryTasks() };
  world = await startBillingWorld('2030-01-15T12:00:00Z', { stores });
});
afterEach(() => world.close());

const stripe = () => world.stripe.stripe;
const tools = () =>
  ({
    ...world.dependencies,
    now: new Date(),
    stripe: async () => stripe(),
    accounts: {
      withSub: async (sub: string) => ({ sub, email: `${sub}@example.com`, emailVerified: true }),
    },
    mailTo: async () => mail,
  }) as unknown as Tools;

/** The user's first subscription. */
const subscriptionOf = async (user: User) => {
  const subscription = (await world.subscriptionsOf(user)).at(-1);
  if (!subscription) throw new Error('There is no subscription.');
  return subscription;
};
const amountOf = async (user: User) => (await subscriptionOf(user)).items.data[0]?.price.unit_amount;

/** A payer of a price that the site sold before: $4.00. */
async function earlyPayer(): Promise<User> {
  const user = await world.signUp();
  await world.buy(user);
  const { id, items } = await subscriptionOf(user);
  const [item] = items.data;
  if (!item) throw new Error('There is no item.');
  const earlier = await stripe().prices.create({
    currency: 'usd',
    unit_amount: 400,
    recurring: { interval: 'month' },
    product: idOf(item.price.product),
    metadata: markOf(STAGE),
  });
  await stripe().subscriptions.update(id, {
    items: [{ id: item.id, price: earlier.id }],
    proration_behavior: 'none',
  });
  await world.stripe.service.allDelivered();
  return user;
}

/** Runs a command for real. Resolves with its lines. */
async function run(command: (of: Tools) => Promise<Answer>): Promise<string[]> {
  const { lines, change } = await command(tools());
  return [...lines, ...((await change?.run()) ?? [])].map((line) => line.trim());
}
/** The hourly run that mails. */
const pass = async (hours: number) => {
  await world.advance(hours * HOUR);
  await world.runTasks();
};
const notices = () =>
  world.mail.sent
    .filter(({ email }) => email.name === 'new-price')
    .map(({ to, email }) => ({ to, ...email }));

test('a payer is told of the new price, pays the old one until the notice is over, and then the new one', async () => {
  const ada = await earlyPayer();
  const { customer, items, default_payment_method: method } = await subscriptionOf(ada);
  const other = await stripe().prices.create({
    currency: 'usd',
    unit_amount: 400,
    recurring: { interval: 'month' },
    product_data: { name: 'Another product' },
  });
  const foreign = await stripe().subscriptions.create({
    customer: idOf(customer),
    items: [{ price: other.id }],
    ...(method && { default_payment_method: idOf(method) }),
  });
  const newcomer = await world.signUp();
  await world.buy(newcomer);

  expect((await priceTell(tools())).lines.join('\n')).toMatch(
    /\$5\.00 per month \(price_\w+\).*1 have the new price.*1 are to be told.*1 payers would be told/s,
  );
  await pass(1);
  expect(notices()).toEqual([]);

  await run(priceTell);
  await pass(1);
  await run(priceTell);
  await pass(1);
  expect(notices().map(({ to }) => to)).toEqual([ada.email]);
  // The notice ends on February 14, and the renewal is on the 15th.
  expect(notices()[0]?.text).toContain(
    'You pay $4.00 per month today, and go on paying that until then. Your renewal on February 15, 2030 is the first that costs $5.00 per month.',
  );

  await world.advance(29 * DAY);
  expect(await run(priceMove)).toContain('There is nobody to move.');
  expect(await amountOf(ada)).toBe(400);
  await world.advance(DAY);
  expect(await run(priceMove)).toContain(
    '1 subscriptions were moved. The plan of their users stays as it is.',
  );
  expect(await run(priceMove)).toContain('There is nobody to move.');
  expect(await amountOf(ada)).toBe(500);
  expect((await stripe().invoices.list({ customer: idOf(customer) })).data[0]?.amount_paid).toBe(400);
  expect((await subscriptionOf(ada)).items.data[0]?.current_period_end).toBe(
    items.data[0]?.current_period_end,
  );

  await pass(3 * 24);
  expect(world.mail.sent.findLast(({ to }) => to === ada.email)?.email.text).toContain('$5.00 was paid');
  expect((await stripe().subscriptions.retrieve(foreign.id)).items.data[0]?.price.unit_amount).toBe(400);
  expect(console.error).not.toHaveBeenCalled();
});

test('after a crash the command goes on, and nobody is told twice', async () => {
  const users = [await earlyPayer(), await earlyPayer(), await earlyPayer()];
  const decide = plans.decide.bind(plans);
  const deciding = vi.spyOn(plans, 'decide');
  // The first payer is written, the others aren't.
  deciding.mockImplementationOnce(decide).mockRejectedValue(new Error('The process ends.'));
  await expect(run(priceTell)).rejects.toThrow('1 are done and 2 have failed. Run it again for the rest.');
  deciding.mockImplementation(decide);
  await pass(1);
  expect(notices()).toHaveLength(1);
  await run(priceTell);
  await pass(1);
  expect(
    notices()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(users.map(({ email }) => email).toSorted());
});

test('a move that Stripe refuses half-way goes on with the next run', async () => {
  const users = [await earlyPayer(), await earlyPayer()];
  await run(priceTell);
  await pass(1);
  await world.advance(30 * DAY);
  const { subscriptions } = stripe();
  const move = subscriptions.update.bind(subscriptions);
  const update = vi.spyOn(subscriptions, 'update');
  update.mockImplementationOnce(move).mockRejectedValue(new Error('Stripe is out of reach.'));
  await expect(run(priceMove)).rejects.toThrow('1 are done and 1 have failed');
  update.mockRestore();
  await run(priceMove);
  expect(await Promise.all(users.map(amountOf))).toEqual([500, 500]);
});

test('a payer who has cancelled is told only after taking that back, and has the whole notice then', async () => {
  const ada = await earlyPayer();
  await world.cancel(ada, (await subscriptionOf(ada)).id);
  await run(priceTell);
  await pass(1);
  expect(notices()).toEqual([]);
  await world.advance(20 * DAY);
  await world.renew(ada);
  await pass(1);
  expect(notices()).toHaveLength(1);
  // The renewal on February 15 is too early.
  expect(notices()[0]?.text).toContain('Your renewal on March 15, 2030 is the first');
  await world.advance(15 * DAY);
  expect(await run(priceMove)).toContain('There is nobody to move.');
});

test('a payer whose mail bounces keeps the price, and is told again once the address works', async () => {
  const ada = await earlyPayer();
  await run(priceTell);
  await pass(1);
  const [sent] = notices();
  expect(sent?.user).toBe(ada.id);
  await handleUndeliverableMail({ ...world.dependencies, idle: { move: vi.fn() }, clock: () => new Date() })({
    source: 'aws.ses',
    detail: {
      eventType: 'Bounce',
      bounce: { bounceType: 'Permanent', bounceSubType: 'General' },
      mail: { messageId: '1', tags: { notice: [sent?.name], user: [sent?.user] } },
    },
  });
  await world.advance(31 * DAY);
  const left = [
    /^1 were mailed, and the mail bounced/,
    /^sub_\w+ of the user person-/,
    'There is nobody to move.',
  ];
  expect(await run(priceMove)).toEqual(
    expect.arrayContaining(left.map((line) => expect.stringMatching(line))),
  );
  mail = 'stopped';
  expect(await run(priceTell)).toContain('There is nobody to tell.');
  mail = 'sent';
  await run(priceTell);
  await pass(1);
  expect(notices()).toHaveLength(2);
  expect(await run(priceMove)).toContain('There is nobody to move.');
  await world.advance(31 * DAY);
  await run(priceMove);
  expect(await amountOf(ada)).toBe(500);
});
