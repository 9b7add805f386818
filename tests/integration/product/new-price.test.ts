import { mainOffer } from '../../../schemas/product/offers.ts';
import { expect, test as base, vi } from 'vitest';
import { idOf } from '../../../functions/adapters/stripe/id-of.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { handleUndeliverableMail } from '../../../functions/events/undeliverable-mail.ts';
import type { Answer } from '../../../infra/operate/support/answer.ts';
import { priceMove, priceNotify } from '../../../infra/operate/support/commands/price.ts';
import type { MailState, Tools } from '../../../infra/operate/support/tools.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { billingInMemory, type MemoryFixtures, type User } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

/** The operator's change of price, over connections to the Stripe stand-in. */

interface Prices extends MemoryFixtures {
  /** The answer of SES about the mail to every user. */
  ses: { state: MailState };
  /** A payer of a price that the site sold before: $4.00. */
  earlyPayer: () => Promise<User>;
  /** Runs a command for real. Resolves with its lines. */
  run: (command: (of: Tools) => Promise<Answer>) => Promise<string[]>;
  /** The hourly run that mails. */
  pass: (hours: number) => Promise<void>;
  notices: () => { to: string; name: string; text: string; user?: string }[];
}

const ofMainOffer = (command: typeof priceNotify) => (tools: Tools) => command(tools, { offer: mainOffer });

const test = base.extend<Prices>({
  ...billingInMemory(),
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of fixtures from a pattern.
  ses: ({}, use) => use({ state: 'sent' }),
  earlyPayer: ({ world, stripe }, use) =>
    use(async () => {
      const user = await world.signUp();
      const { subscription } = await user.buyPlus();
      const [item] = subscription.items.data;
      const earlier = await stripe.prices.create({
        currency: 'usd',
        unit_amount: 400,
        recurring: { interval: 'month' },
        product: idOf(item?.price.product ?? ''),
        metadata: markOf(STAGE),
      });
      await stripe.subscriptions.update(subscription.id, {
        items: [{ id: String(item?.id), price: earlier.id }],
        proration_behavior: 'none',
      });
      await world.stripe.service.allDelivered();
      return user;
    }),
  run: ({ world, stripe, ses }, use) =>
    use(async (command) => {
      const { lines, change } = await command({
        ...world.dependencies,
        now: new Date(),
        stripe: async () => stripe,
        accounts: {
          withSub: async (sub: string) => ({ sub, email: `${sub}@example.com`, emailVerified: true }),
        },
        mailTo: async () => ses.state,
      } as unknown as Tools);
      return [...lines, ...((await change?.run()) ?? [])].map((line) => line.trim());
    }),
  pass: ({ world }, use) =>
    use(async (hours) => {
      await world.advance(hours * HOUR);
      await world.runTasks();
    }),
  notices: ({ world }, use) =>
    use(() =>
      world.mail.sent
        .filter(({ email }) => email.name === 'new-price')
        .map(({ to, email }) => ({ to, ...email })),
    ),
});

const amountOf = async (user: User) => (await user.subscriptions()).at(-1)?.items.data[0]?.price.unit_amount;

test('a payer is told of the new price, pays the old one until the notice is over, and then the new one', async ({
  world,
  stripe,
  earlyPayer,
  run,
  pass,
  notices,
}) => {
  const ada = await earlyPayer();
  const customer = await ada.customer();
  const periodEnd = async () => (await ada.subscriptions()).at(-1)?.items.data[0]?.current_period_end;
  const before = await periodEnd();
  const foreign = await world.sell(customer, { amount: 400 });
  await (await world.signUp()).buyPlus();

  const plan = async (of: Tools): Promise<Answer> => ({
    lines: (await priceNotify(of, { offer: mainOffer })).lines,
  });
  expect((await run(plan)).join('\n')).toMatch(
    /\$5\.00 per month \(price_\w+\).*1 have the new price.*1 are to be told.*1 payers would be told/s,
  );
  await pass(1);
  expect(notices()).toEqual([]);

  await run(ofMainOffer(priceNotify));
  await pass(1);
  await run(ofMainOffer(priceNotify));
  await pass(1);
  expect(notices().map(({ to }) => to)).toEqual([ada.email]);
  // The notice ends on February 14, and the renewal is on the 15th.
  expect(notices()[0]?.text).toContain(
    'You pay $4.00 per month today, and go on paying that until then. Your renewal on February 15, 2030 is the first that costs $5.00 per month.',
  );

  await world.advance(29 * DAY);
  expect(await run(ofMainOffer(priceMove))).toContain('There is nobody to move.');
  expect(await amountOf(ada)).toBe(400);
  await world.advance(DAY);
  expect(await run(ofMainOffer(priceMove))).toContain(
    '1 subscriptions were moved. The plan of their users stays as it is.',
  );
  expect(await run(ofMainOffer(priceMove))).toContain('There is nobody to move.');
  expect(await amountOf(ada)).toBe(500);
  const paid = (await stripe.invoices.list({ customer })).data.map(({ amount_paid }) => amount_paid);
  expect(paid).toContain(400);
  expect(await periodEnd()).toBe(before);

  await pass(3 * 24);
  expect(world.mail.sent.findLast(({ to }) => to === ada.email)?.email.text).toContain('$5.00 was paid');
  expect((await stripe.subscriptions.retrieve(foreign.id)).items.data[0]?.price.unit_amount).toBe(400);
  expect(console.error).not.toHaveBeenCalled();
});

test('after a crash the command goes on, and nobody is told twice', async ({
  memory,
  earlyPayer,
  run,
  pass,
  notices,
}) => {
  const users = [await earlyPayer(), await earlyPayer(), await earlyPayer()];
  const decide = memory.planTable.decide.bind(memory.planTable);
  const deciding = vi.spyOn(memory.planTable, 'decide');
  // The first payer is written, the others aren't.
  deciding.mockImplementationOnce(decide).mockRejectedValue(new Error('The process ends.'));
  await expect(run(ofMainOffer(priceNotify))).rejects.toThrow(
    '1 are done and 2 have failed. Run it again for the rest.',
  );
  deciding.mockImplementation(decide);
  await pass(1);
  expect(notices()).toHaveLength(1);
  await run(ofMainOffer(priceNotify));
  await pass(1);
  expect(
    notices()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(users.map(({ email }) => email).toSorted());
});

test('a move that Stripe refuses half-way goes on with the next run', async ({
  world,
  stripe,
  earlyPayer,
  run,
  pass,
}) => {
  const users = [await earlyPayer(), await earlyPayer()];
  await run(ofMainOffer(priceNotify));
  await pass(1);
  await world.advance(30 * DAY);
  const { subscriptions } = stripe;
  const move = subscriptions.update.bind(subscriptions);
  const update = vi.spyOn(subscriptions, 'update');
  update.mockImplementationOnce(move).mockRejectedValue(new Error('Stripe is out of reach.'));
  await expect(run(ofMainOffer(priceMove))).rejects.toThrow('1 are done and 1 have failed');
  update.mockRestore();
  await run(ofMainOffer(priceMove));
  expect(await Promise.all(users.map(amountOf))).toEqual([500, 500]);
});

test('a payer who has cancelled is told only after taking that back, and has the whole notice then', async ({
  world,
  earlyPayer,
  run,
  pass,
  notices,
}) => {
  const ada = await earlyPayer();
  await ada.cancel((await ada.subscription()).id);
  await run(ofMainOffer(priceNotify));
  await pass(1);
  expect(notices()).toEqual([]);
  await world.advance(20 * DAY);
  await ada.renew();
  await pass(1);
  expect(notices()).toHaveLength(1);
  // The renewal on February 15 is too early.
  expect(notices()[0]?.text).toContain('Your renewal on March 15, 2030 is the first');
  await world.advance(15 * DAY);
  expect(await run(ofMainOffer(priceMove))).toContain('There is nobody to move.');
});

test('a payer whose mail bounces keeps the price, and is told again once the address works', async ({
  world,
  ses,
  earlyPayer,
  run,
  pass,
  notices,
}) => {
  const ada = await earlyPayer();
  await run(ofMainOffer(priceNotify));
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
  expect(await run(ofMainOffer(priceMove))).toEqual(
    expect.arrayContaining(left.map((line) => expect.stringMatching(line))),
  );
  ses.state = 'stopped';
  expect(await run(ofMainOffer(priceNotify))).toContain('There is nobody to tell.');
  ses.state = 'sent';
  await run(ofMainOffer(priceNotify));
  await pass(1);
  expect(notices()).toHaveLength(2);
  expect(await run(ofMainOffer(priceMove))).toContain('There is nobody to move.');
  await world.advance(31 * DAY);
  await run(ofMainOffer(priceMove));
  expect(await amountOf(ada)).toBe(500);
});
