import { Stripe } from 'stripe';
import { beforeEach, expect } from 'vitest';
import { markOf } from '../../functions/domain/mark.ts';
import { startStandInTarget } from './stand-in-target.ts';
import type { Target } from './target.ts';
import { testKey } from './test-key.ts';
import { startTestModeTarget } from './test-mode-target.ts';

/** Seconds. */
export const HOUR = 3_600;
export const DAY = 24 * HOUR;

const key = testKey(process.env);

/** Whether the sentences are said about Stripe's own test mode. */
export const isTestMode = key !== undefined;

const startTarget = (): Promise<Target> =>
  key === undefined
    ? startStandInTarget()
    : // Tries again after "too many requests": test mode takes 25 a second.
      startTestModeTarget(new Stripe(key, { maxNetworkRetries: 4, telemetry: false }));

/** The running test's target. */
export let target: Target;
/** Its client. */
export let stripe: Stripe;

/** Gives each test of a file a target. */
export const useTarget = (): void =>
  beforeEach(async () => {
    target = await startTarget();
    ({ stripe } = target);
    return () => target.close();
  });

/** Why the running target can't certify a sentence. Undefined if it can. */
export function limitOf(sentence: 'page' | 'trial' | 'finalization'): string | undefined {
  if (sentence === 'page' && isTestMode) return 'only a browser can pay on the page of an embedded session';
  if (sentence === 'finalization' && isTestMode) return 'only a wrong address for taxes causes it';
  if (sentence === 'trial' && !isTestMode) return 'the stand-in has no trials';
  return undefined;
}

/** The refusal of a call, as Stripe's client throws it. */
export async function refusalOf(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof Stripe.errors.StripeError)) throw new Error('It was not refused.');
  return outcome;
}

/** Expects that a call is refused as invalid, with this status and code. */
export async function expectInvalid(
  work: Promise<unknown>,
  as: { statusCode?: number; code?: string } = { statusCode: 400 },
): Promise<void> {
  expect(await refusalOf(work)).toMatchObject({ type: 'StripeInvalidRequestError', ...as });
}

/** The product's mark, as the adapters write it. */
export const user = 'user-of-the-contract';
export const STAGE = 'contract';
export const metadata = markOf(STAGE, user);

/** Attaches a card to a customer and makes it the default of invoices. Resolves with its id. */
export async function giveCard(customer: string, token: string): Promise<string> {
  const { id } = await stripe.paymentMethods.attach(token, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  return id;
}

/** A customer with a monthly subscription, paid with the card of `token`. */
export async function subscribe(
  token = 'pm_card_visa',
): Promise<{ customer: Stripe.Customer; subscription: Stripe.Subscription }> {
  const customer = await target.createCustomer();
  await giveCard(customer.id, token);
  const price = await target.monthlyPrice();
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    metadata,
  });
  return { customer, subscription };
}

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  if (!reference) throw new Error('Nothing is referred to.');
  return typeof reference === 'string' ? reference : reference.id;
}

/** The end of the current period, in Unix seconds. */
export function periodEnd({ items }: Stripe.Subscription): number {
  const [item] = items.data;
  if (!item) throw new Error('The subscription has no item.');
  return item.current_period_end;
}

/** Moves on to a moment in Unix seconds. */
export const advanceTo = (moment: number): Promise<void> => target.advance(moment - target.now());

/** The subscription's newest invoice. */
export async function latestInvoice(subscription: string): Promise<Stripe.Invoice> {
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription, {
    expand: ['latest_invoice'],
  });
  if (invoice === null || typeof invoice === 'string') throw new Error('The subscription has no invoice.');
  return invoice;
}

/** A subscription whose renewal has failed: past due, with an open invoice. */
export async function subscribeAndFail(): Promise<{
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  invoice: Stripe.Invoice;
}> {
  const { customer, subscription } = await subscribe();
  await giveCard(customer.id, 'pm_card_chargeCustomerFail');
  await advanceTo(periodEnd(subscription) + 2 * HOUR);
  const invoice = await latestInvoice(subscription.id);
  return { customer, subscription: await stripe.subscriptions.retrieve(subscription.id), invoice };
}
