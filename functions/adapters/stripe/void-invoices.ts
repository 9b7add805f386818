import type Stripe from 'stripe';
import { type Subscription, wasEndedUnpaid } from '../../domain/subscription.ts';
import { attemptAll } from '../../runtime/attempt-all.ts';
import { isOfLastPeriod, refundInvoice } from './refund-invoice.ts';
import { unlessRefused } from './refusals.ts';

// One or two invoices are open. The rest is for settings that keep a subscription past due for years.
const PAGE = 100;

type Ended = Pick<Subscription, 'id' | 'endedAt' | 'ended' | 'currentPeriodEnd'>;

/**
 * Voids the open invoices of an ended subscription, drafts included, but for mailed ones. Refunds payments
 * made after its end, and of the period if the user ended it while a payment was due. Safe to repeat.
 * Resolves with whether it refunded. Throws if an invoice can still be collected, or if a refund failed.
 */
export async function voidOpenInvoices(
  stripe: Stripe,
  ended: Ended,
  refundMetadata: Readonly<Record<string, string>>,
): Promise<boolean> {
  const list = async () => (await stripe.invoices.list({ subscription: ended.id, limit: PAGE })).data;
  // One list for both: between two lists, an invoice could be paid and be in neither.
  let invoices = await list();
  const collectable = invoices.filter(isCollectable);
  const refused = await attemptAll(collectable.map((invoice) => () => voidInvoice(stripe, invoice)));
  // Stripe refuses if the invoice was paid or voided meanwhile. Paid invoices are refunded below.
  if (collectable.length > 0) invoices = await list();
  const late = invoices.filter((invoice) => isTakenLate(invoice, ended));
  const unrefunded = await attemptAll(
    late.map((each) => () => refundInvoice(stripe, each.id, refundMetadata)),
  );
  const left = invoices.filter(isCollectable);
  if (left.length > 0) {
    throw refused[0] ?? new Error(`Stripe may still collect ${left.map(({ id }) => id).join(', ')}.`);
  }
  if (unrefunded.length > 0) throw unrefunded[0];
  return late.length > 0;
}

/** Also an uncollectible invoice: its page still takes a payment. */
const isCollectable = ({ status, collection_method: method }: Stripe.Invoice): boolean =>
  status !== 'paid' && status !== 'void' && method === 'charge_automatically';

/**
 * Stops the collection of invoices before the latest: a renewal's goes on through a pause and a resumption
 * (https://docs.stripe.com/billing/subscriptions/pause). Throws if Stripe refuses, as for an invoice that was
 * paid meanwhile.
 */
export async function stopOlderInvoices(stripe: Stripe, id: string, latest: string | undefined) {
  const { data: invoices } = await stripe.invoices.list({ subscription: id, limit: PAGE });
  const older = invoices.slice(invoices.findIndex((invoice) => invoice.id === latest) + 1);
  for (const invoice of older.filter((each) => each.auto_advance && isCollectable(each))) {
    // Stripe takes this also for a draft that it can't finalize. The subscription's end voids the draft.
    await stripe.invoices.update(invoice.id, { auto_advance: false });
    // Stripe refuses while a payment is processing.
    if (invoice.status !== 'draft') await unlessRefused(() => stripe.invoices.voidInvoice(invoice.id));
  }
}

async function voidInvoice(stripe: Stripe, { id, status }: Stripe.Invoice): Promise<void> {
  // Stripe voids a draft only once it is finalized. Without `auto_advance`, it isn't collected.
  if (status === 'draft') await stripe.invoices.finalizeInvoice(id, { auto_advance: false });
  await stripe.invoices.voidInvoice(id);
}

function isTakenLate(invoice: Stripe.Invoice, subscription: Ended): boolean {
  if (invoice.status !== 'paid') return false;
  const isAfterEnd = (invoice.status_transitions.paid_at ?? 0) > (subscription.endedAt ?? Infinity);
  return (
    isAfterEnd || (wasEndedUnpaid(subscription) && isOfLastPeriod(invoice, subscription.currentPeriodEnd))
  );
}
