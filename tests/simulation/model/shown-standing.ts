import type { Stripe } from 'stripe';
import { Standing } from '../../../schemas/shapes/standing.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { runningSubscriptions } from './subscriber.ts';

const paidKinds: ReadonlySet<Standing['kind']> = new Set([
  'failed',
  'invoiced',
  'paused',
  'pending',
  'renews',
  'ends',
]);

/** The page of a plan says what Stripe will take, and when there is nothing to take. */
export function checkShownStanding(world: World, account: Account, shown: unknown): void {
  const { stripe, violations, seconds } = world;
  const { model, id } = account;
  const subscriptions = [...model.subscriptions.values()];
  const isClear =
    !model.complimentary &&
    subscriptions.length > 0 &&
    !subscriptions.some(({ hasOverlapped, triesEndAt }) => hasOverlapped || triesEndAt !== undefined);
  if (!isClear || !world.exists(account) || account.deletionRequested) return;
  const standing = Standing.parse(shown);
  const [running] = runningSubscriptions(model, seconds);
  const subscription = running && stripe.ledger.subscriptions.get(running[0]);
  if (subscription) {
    if (!paidKinds.has(standing.kind)) violations.add(`${id} has paid and is told "${standing.kind}".`);
    checkAmount(world, standing, subscription);
    return;
  }
  if (paidKinds.has(standing.kind) && standing.kind !== 'paused') {
    violations.add(`${id} has not paid and is told "${standing.kind}".`);
  }
  const isPaused = stripe.ledger.subscriptions
    .list()
    .some(({ id: each, status }) => model.subscriptions.has(each) && status === 'paused');
  const isTold = standing.kind === 'paused' || standing.kind === 'processing';
  if (isPaused ? !isTold : standing.kind === 'paused') {
    violations.add(`${id} is told "${standing.kind}", and is ${isPaused ? '' : 'not '}paused.`);
  }
}

function checkAmount({ stripe, violations }: World, standing: Standing, of: Stripe.Subscription): void {
  const invoices = stripe.ledger.invoices
    .list()
    .filter(({ parent }) => parent?.subscription_details?.subscription === of.id);
  for (const { subscription, money } of 'charges' in standing ? standing.charges : []) {
    // A preview is wrong while the renewal before it is a draft, and isn't shown.
    const isDrafted = invoices.some(
      ({ automatically_finalizes_at: at, id, last_finalization_error: error, status }) =>
        id === of.latest_invoice && status === 'draft' && (at !== null || error !== null),
    );
    const expected = isDrafted ? undefined : stripe.previewOf(of)?.amount_due;
    if (subscription === of.id && money?.amount !== expected)
      violations.add(`The next charge of ${of.id} is shown as ${money?.amount} and is ${expected}.`);
  }
  if (standing.kind === 'pending' || standing.kind === 'failed') {
    const due = invoices
      .filter(({ status }) => status === 'open' || status === 'draft')
      .map(({ amount_remaining: amount }) => amount);
    const { amount = NaN } = standing.money ?? {};
    if (!due.includes(amount)) {
      violations.add(`The due invoice of ${of.id} is shown as ${amount} and is ${due.join(' or ')}.`);
    }
  }
}
