import type { Stripe } from 'stripe';
import { isPaid, lowestPaidPlan } from '../../../schemas/product/offers.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import type { Account } from '../world/account.ts';
import { HOUR, MAX_CATCH_UP_BREAK, MAX_WRONG_PLAN } from '../world/limits.ts';
import type { World } from '../world/world.ts';
import { checkMails } from './mails.ts';
import { doublePayments, runningSubscriptions } from './subscriber.ts';

/** Remembers what `checkInvariants` compares the end of a step with. */
export function beginStep(world: World): void {
  for (const account of world.accounts) {
    account.planBefore = world.rowOf(account)?.plan ?? 'free';
    account.wasEntitled = world.expectedPlanOf(account).plan !== 'free';
  }
}

/** Invariants after every step, whatever events are still undelivered. Throws a `Violation`. */
export function checkInvariants(world: World): void {
  for (const account of world.accounts) {
    const { model, id } = account;
    const row = world.rowOf(account);
    if (row) checkRow(world, account, row);
    const subscriptions = [...model.subscriptions.values()];
    // After an overlap the product still has to end a subscription, which changes the row again.
    const hasOverlapped = subscriptions.some((subscription) => subscription.hasOverlapped);
    // Stripe sends no event when its tries are over. A task ends Plus, within two hours.
    const awaitsTask = subscriptions.some(
      ({ triesEndAt = Infinity, endedAt }) => triesEndAt <= world.seconds && endedAt === undefined,
    );
    const isPredictable = subscriptions.length > 0 && !model.complimentary && !hasOverlapped && !awaitsTask;
    if (isPredictable && account.eventsAtDecision === account.eventCount) compareRow(world, account, row);
    const isRunning = runningSubscriptions(model, world.seconds).length > 0;
    if (!world.exists(account) && isRunning && !world.isDeferred(account)) {
      world.violations.add(`${id} is deleted and a subscription still runs.`);
    }
  }
  world.violations.throwIfAny();
}

/** Invariants once the schedules have run. */
export function checkSettledAccount(world: World, account: Account): void {
  const { violations } = world;
  const { model, id } = account;
  const row = world.rowOf(account);
  const running = runningSubscriptions(model, world.seconds);
  if (world.isLeft(account)) violations.add(`Something is left to be done for ${id} at Stripe.`);
  if (running.length > 1) violations.add(`${id} has ${running.length} running subscriptions.`);
  const delay = { detectionDelay: detectionDelay(world), now: world.seconds };
  for (const [first, second] of doublePayments(model, delay)) {
    violations.add(
      `${id} has paid twice for the same time: ${first.subscription} and ${second.subscription}.`,
    );
  }
  checkDeclinedInvoices(world);
  for (const invoice of world.stripe.ledger.invoices.list()) {
    const of = invoice.parent?.subscription_details?.subscription;
    const hasEnded = typeof of === 'string' && model.subscriptions.get(of)?.endedAt !== undefined;
    // An invoice that Stripe has mailed is support's to collect.
    const isSupports = invoice.collection_method !== 'charge_automatically' || isGone(world, invoice);
    if (hasEnded && !isSupports && invoice.status !== 'paid' && invoice.status !== 'void') {
      violations.add(`The invoice ${invoice.id} is ${invoice.status}, and its subscription has ended.`);
    }
  }
  if (world.exists(account)) {
    compareRow(world, account, row);
    checkMails(world, account);
    return;
  }
  // A deletion that crashes between user pool and row leaves a row with an id and dates, but without
  // references.
  const { billing_customer_id: customer, checkout_session_id: session } = row ?? {};
  if ((row && isPaid(row.plan)) || customer !== undefined || session !== undefined) {
    violations.add(`The row of ${id} still has data after the account was deleted.`);
  }
}

/** Whether an invoice's customer was deleted, who has no card. */
const isGone = ({ stripe }: World, { customer }: Stripe.Invoice): boolean =>
  typeof customer === 'string' && stripe.ledger.customers.get(customer)?.deleted === true;

/**
 * Nothing is kept of what a user has declined to pay by cancelling in the hour after a renewal. A refund that
 * the bank refuses later is left to support.
 */
function checkDeclinedInvoices(world: World): void {
  const { declinedInvoices, stripe, violations } = world;
  for (const id of declinedInvoices) {
    const payment = stripe.ledger.invoicePayments.list().find(({ invoice }) => invoice === id);
    const isRefused = (wanted: string): boolean =>
      stripe.ledger.refunds.list().some(({ charge, status }) => charge === wanted && status === 'failed');
    const charge = stripe.ledger.charges
      .list()
      .find(
        ({ id: chargeId, payment_intent: intent, paid, refunded }) =>
          intent === payment?.payment.payment_intent && paid && !refunded && !isRefused(chargeId),
      );
    const invoice = stripe.ledger.invoices.get(id);
    const isCollected = invoice?.status === 'draft' && invoice.auto_advance && !isGone(world, invoice);
    if (charge || isCollected) {
      violations.add(`The invoice ${id} was declined by a cancellation, and is ${invoice?.status}.`);
    }
  }
}

/** The seconds until a schedule finds what happened, when every webhook is lost. */
function detectionDelay({ hourly, unseenFor }: World): number {
  // A catch-up that fails is repeated an hour later. A refused call waits until Stripe accepts it.
  return ((hourly ? MAX_WRONG_PLAN : MAX_CATCH_UP_BREAK + HOUR) + unseenFor) / 1000;
}

function checkRow(world: World, account: Account, row: UserPlan): void {
  const { violations } = world;
  const { id, planBefore, wasEntitled } = account;
  // A second deletion may create a row again, and fail before it removes the row.
  const mayBeNew = row.version === 1 || !world.exists(account);
  if (row.version < account.rowVersion && !mayBeNew) violations.add(`The version of ${id} decreased.`);
  account.rowVersion = row.version;
  if (isPaid(row.plan) && planBefore === 'free' && !wasEntitled) {
    violations.add(`${id} got Plus without a payment or a complimentary plan.`);
  }
  const plusFields = [
    row.plan_expires_at,
    row.stripe_subscription_id,
    row.stripe_customer_id,
    row.expiry_shard,
  ];
  if (row.plan === 'free' && plusFields.some((value) => value !== undefined)) {
    violations.add(`The Free row of ${id} has an expiry or a Stripe id.`);
  }
  if (row.plan_expires_at !== undefined && row.stripe_subscription_id !== undefined) {
    violations.add(`The row of ${id} has both an expiry and a renewing subscription.`);
  }
  if ((row.plan_expires_at === undefined) !== (row.expiry_shard === undefined)) {
    violations.add(`The row of ${id} has an expiry without a shard, or a shard without an expiry.`);
  }
}

/** The row says what the model expects. */
function compareRow(world: World, account: Account, row: UserPlan | undefined): void {
  const { violations } = world;
  const { id } = account;
  const expected = world.expectedPlanOf(account);
  if (!world.exists(account) || expected.plan === 'either') return;
  const sold = expected.plan === 'paid' && expected.isComplimentary ? lowestPaidPlan : world.offer.plan;
  const plan = expected.plan === 'free' ? 'free' : sold;
  if ((row?.plan ?? 'free') !== plan) {
    violations.add(`${id} should be on ${plan} and is on ${row?.plan ?? 'no plan'}.`);
  }
  if (expected.plan === 'free' || !row) return;
  const expiry =
    expected.expiresAt === undefined ? undefined : new Date(expected.expiresAt * 1000).toISOString();
  if (row.plan_expires_at !== expiry) {
    violations.add(
      `The plan of ${id} should end ${expiry ?? 'never'} and ends ${row.plan_expires_at ?? 'never'}.`,
    );
  }
  if (row.stripe_subscription_id !== expected.subscription) {
    violations.add(`The row of ${id} does not name the subscription that renews.`);
  }
  if ((row.stripe_customer_id === undefined) !== expected.isComplimentary) {
    violations.add(`The row of ${id} lacks a customer, or a complimentary plan has a customer.`);
  }
}
