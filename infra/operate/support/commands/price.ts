import type Stripe from 'stripe';
import { offerPrice } from '../../../../functions/adapters/stripe/offer-price.ts';
import { idOf } from '../../../../functions/adapters/stripe/id-of.ts';
import { isOwn, toSubscription } from '../../../../functions/adapters/stripe/to-subscription.ts';
import { isClosing } from '../../../../functions/domain/closing.ts';
import { ownerIn } from '../../../../functions/domain/mark.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { userOfCustomer } from '../../../../functions/plans/user-of-customer.ts';
import { forEachLimit } from '../../../../functions/runtime/for-each-limit.ts';
import { mainOffer, type Offer, offerNamed } from '../../../../schemas/product/offers.ts';
import { retention } from '../../../../schemas/product/retention.ts';
import type { NewPrice } from '../../../../schemas/rows/billing-state.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Answer } from '../answer.ts';
import { money } from '../in-words.ts';
import { type PayerGroup, payerGroup, standings } from '../payer-groups.ts';
import type { Tools } from '../tools.ts';

// Stripe allows a hundred requests a second, which the product's functions need too.
const CONCURRENCY = 4;
/** The most ids that are listed of a standing that is left to a person. */
const LISTED = 20;
const leftToYou: ReadonlySet<PayerGroup> = new Set(['bounced', 'other-terms']);

/**
 * Announces the offer's price to all payers with another one, of whom billing-tasks then mails each. Safe to
 * repeat, also after a crash: who is announced once isn't announced again, unless the mail has bounced and
 * the account now has an address that works.
 */
export async function priceNotify(tools: Tools, { offer }: { offer: Offer }): Promise<Answer> {
  const { now } = tools;
  const { price, text, found, lines } = await survey(tools, offer);
  const bounced = await reachable(tools, found.get('bounced') ?? []);
  const users = new Set([...(found.get('to-tell') ?? []), ...bounced].map(({ user }) => user));
  if (users.size === 0) return { lines: [...lines, 'There is nobody to tell.'] };
  const newPrice = { ...price, announcedAt: Math.floor(now.getTime() / 1000) };
  const change = {
    action: 'price notify',
    id: 'price',
    detail: `${price.id}, ${text}: ${users.size} payers`,
    run: async () => {
      const options = { trigger: 'support', onlyChanges: true, newPrice };
      await forEach(users, (user) => reconcile(tools, user, now, options));
      return [
        `${users.size} payers are announced. billing-tasks mails them, every hour, and each notice runs for ${retention.daysOfPriceNotice} days from its mail.`,
      ];
    },
  };
  return { lines: [...lines, `${users.size} payers would be told.`], change };
}

/**
 * Moves the payers whose notice has run out to the offer's price, which their next renewal is the first to
 * charge. Safe to repeat, also after a crash.
 */
export async function priceMove(tools: Tools, { offer }: { offer: Offer }): Promise<Answer> {
  const { stripe, now } = tools;
  const { price, text, found, lines } = await survey(tools, offer);
  const count = found.get('to-move')?.length ?? 0;
  if (count === 0) return { lines: [...lines, 'There is nobody to move.'] };
  const change = {
    action: 'price move',
    id: 'price',
    detail: `${price.id}, ${text}: ${count} subscriptions`,
    run: async () => {
      const client = await stripe();
      // Read again: hours may have passed since the survey began.
      const done = await forEach(toMove(tools, client, price), ({ id, item }) =>
        client.subscriptions.update(id, {
          items: [{ id: item, price: price.id }],
          // "If you don't want to prorate": https://docs.stripe.com/api/subscriptions/update
          proration_behavior: 'none',
        }),
      );
      return [`${done} subscriptions were moved. The plan of their users stays as it is.`];
    },
  };
  return {
    lines: [...lines, `${count} subscriptions would be moved to ${text} with their next renewal.`],
    change,
  };

  async function* toMove(of: Tools, client: Stripe, to: NewPrice) {
    for await (const payer of payers(of, client, offer)) {
      if (payerGroup(payer.row, payer.subscription, to, now) === 'to-move') yield payer;
    }
  }
}

interface Found {
  id: string;
  user: string;
}

/** Reads where each payer stands. */
async function survey(
  tools: Tools,
  offer: Offer,
): Promise<{
  price: NewPrice;
  text: string;
  found: ReadonlyMap<PayerGroup, Found[]>;
  lines: string[];
}> {
  const client = await tools.stripe();
  const { priceInCents: amount, currency, interval } = offer;
  const price = { id: await offerPrice(client, tools.billing.stage, offer), amount, currency, interval };
  const text = `${money(price.amount, price.currency)} per ${price.interval}`;
  const found = new Map<PayerGroup, Found[]>();
  for await (const { row, subscription } of payers(tools, client, offer)) {
    const standing = payerGroup(row, subscription, price, tools.now);
    if (!standing) continue;
    const others = found.get(standing);
    if (others) others.push({ id: subscription.id, user: row.id });
    else found.set(standing, [{ id: subscription.id, user: row.id }]);
  }
  return {
    price,
    text,
    found,
    lines: [`The new price is ${text} (${price.id}). Of the subscriptions:`, ...linesOf(found)],
  };
}

function* linesOf(found: ReadonlyMap<PayerGroup, readonly Found[]>): Generator<string> {
  for (const [standing, of] of found) {
    yield `  ${of.length} ${standings[standing]}`;
    if (!leftToYou.has(standing)) continue;
    yield* of.slice(0, LISTED).map(({ id, user }) => `    ${id} of the user ${user}`);
    if (of.length > LISTED) yield '    …';
  }
}

/** The subscriptions of the offer that haven't ended, with the rows of their users. */
async function* payers({ planTable, billing, now }: Tools, client: Stripe, offer: Offer) {
  const { stage } = billing;
  // A dry run marks nobody.
  const readOnly = {
    planTable,
    billing: { ownerOf: (id: string) => billing.ownerOf(id), markCustomer: async () => {} },
  };
  const list = client.subscriptions.list({ limit: 100, expand: ['data.latest_invoice'] });
  for await (const subscription of list) {
    const owner = ownerIn(subscription.metadata, stage);
    if (owner.kind === 'foreign') continue;
    const customerId = idOf(subscription.customer);
    const named =
      owner.kind === 'ours' ? { userId: owner.userId } : { userId: undefined, unmarkedUserId: owner.userId };
    const user = named.userId ?? (await userOfCustomer(readOnly, { customerId, ...named }));
    const row: UserPlan | undefined = user === undefined ? undefined : await planTable.read(user);
    if (!row || isClosing(row, now) || !isOwn(subscription, stage, row)) continue;
    const read = toSubscription(subscription, stage, now);
    const { id, items } = subscription;
    if (offerOf(read).key === offer.key) yield { id, item: items.data[0]?.id ?? '', row, subscription: read };
  }
}

/** The offer that a subscription is compared with: of its plan and interval, or else its plan's first. */
const offerOf = ({ plan, interval }: Subscription): Offer =>
  offerNamed(plan, interval) ?? offerNamed(plan) ?? mainOffer;

/** Those whose account now has an address that SES mails. */
async function reachable({ accounts, mailTo }: Tools, found: readonly Found[]): Promise<Found[]> {
  const reached: Found[] = [];
  for (const each of found) {
    const account = await accounts.withSub(each.user);
    if (account?.emailVerified && (await mailTo(account.email)) === 'sent') reached.push(each);
  }
  return reached;
}

/** Resolves with the number of items. Throws after the last if one has failed. */
async function forEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const { done, failures } = await forEachLimit(items, { limit: CONCURRENCY, work });
  if (failures.size > 0) {
    const [first] = failures.values();
    throw new Error(
      `${done} are done and ${failures.size} have failed. Run it again for the rest. The first: ${String(first)}`,
    );
  }
  return done;
}
