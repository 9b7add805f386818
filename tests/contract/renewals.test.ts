import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  advanceTo,
  HOUR,
  latestInvoice,
  periodEnd,
  expectInvalid,
  useTarget,
  subscribe,
  stripe,
} from './harness.ts';

// The hour between a renewal and its payment. Addresses in the comments are those of Stripe's documents.
// No document says what becomes of the draft when its subscription is canceled within the hour, so there is
// no sentence about it.

useTarget();

/** A subscription within the hour after its renewal, and the draft of that renewal. */
async function renew(): Promise<{
  customer: Stripe.Customer;
  before: Stripe.Subscription;
  renewed: Stripe.Subscription;
  draft: Stripe.Invoice;
}> {
  const { customer, subscription } = await subscribe();
  await advanceTo(periodEnd(subscription) + 60);
  return {
    customer,
    before: subscription,
    renewed: await stripe.subscriptions.retrieve(subscription.id),
    draft: await latestInvoice(subscription.id),
  };
}

const chargesOf = async ({ id: customer }: Stripe.Customer): Promise<number> =>
  (await stripe.charges.list({ customer })).data.length;

describe('a renewed subscription', () => {
  // "Stripe waits one hour [...] before finalizing": https://docs.stripe.com/billing/subscriptions/webhooks
  // and https://docs.stripe.com/billing/invoices/subscription#sub-invoice-lifecycle
  test('is active in its next period before anything is paid', async () => {
    const { customer, before, renewed } = await renew();
    expect(renewed.status).toBe('active');
    expect(renewed.items.data[0]?.current_period_start).toBe(periodEnd(before));
    expect(periodEnd(renewed)).toBeGreaterThan(periodEnd(before));
    expect(await chargesOf(customer)).toBe(1);
  });
});

describe('the draft of a renewal', () => {
  // https://docs.stripe.com/api/invoices/object#invoice_object-automatically_finalizes_at and
  // https://docs.stripe.com/invoicing/integration/automatic-advancement-collection: "finalizing draft
  // invoices after one hour"
  // https://docs.stripe.com/invoicing/overview#finalized: the number is given at finalization.
  test('advances by itself, about an hour after it was created, and has no number and no page yet', async () => {
    const { draft } = await renew();
    expect(draft).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
      auto_advance: true,
      status_transitions: { finalized_at: null, paid_at: null },
      number: null,
      invoice_pdf: null,
    });
    expect(draft.hosted_invoice_url ?? null).toBeNull();
    const wait = Number(draft.automatically_finalizes_at) - draft.created;
    expect(wait).toBeGreaterThan(HOUR / 2);
    expect(wait).toBeLessThan(2 * HOUR);
  });

  // https://docs.stripe.com/invoicing/integration/automatic-advancement-collection
  test('is finalized and paid after the hour', async () => {
    const { customer, draft, before } = await renew();
    await advanceTo(periodEnd(before) + 2 * HOUR);
    const invoice = await stripe.invoices.retrieve(draft.id);
    expect(invoice).toMatchObject({ status: 'paid', automatically_finalizes_at: null });
    expect(await chargesOf(customer)).toBe(2);
  });

  // "Mark a finalized invoice as void [...] it only applies to finalized invoices":
  // https://docs.stripe.com/api/invoices/void. "If an invoice is for a subscription, it must be voided":
  // https://docs.stripe.com/api/invoices/delete
  test('can be neither voided nor deleted', async () => {
    const { draft } = await renew();
    await expectInvalid(stripe.invoices.voidInvoice(draft.id));
    await expectInvalid(stripe.invoices.del(draft.id));
  });

  // "To turn off automatic finalization, set auto_advance to false":
  // https://docs.stripe.com/api/invoices/update#update_invoice-automatically_finalizes_at
  test('stays a draft if it no longer advances', async () => {
    const { customer, draft, before } = await renew();
    const stopped = await stripe.invoices.update(draft.id, { auto_advance: false });
    expect(stopped).toMatchObject({ status: 'draft', auto_advance: false });
    await advanceTo(periodEnd(before) + 3 * HOUR);
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('draft');
    expect(await chargesOf(customer)).toBe(1);
  });

  // https://docs.stripe.com/api/invoices/finalize#finalize_invoice-auto_advance: "If false, the invoice's
  // state doesn't automatically advance without an explicit action".
  test('is voided after it was finalized without collection, and never paid', async () => {
    const { customer, draft, before } = await renew();
    const open = await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false });
    expect(open).toMatchObject({ status: 'open', auto_advance: false, attempted: false });
    expect((await stripe.invoices.voidInvoice(draft.id)).status).toBe('void');
    await advanceTo(periodEnd(before) + 3 * HOUR);
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('void');
    expect(await chargesOf(customer)).toBe(1);
  });

  // https://docs.stripe.com/api/invoices/finalize: "Stripe automatically finalizes drafts before sending and
  // attempting payment on invoices".
  test('can’t be finalized twice', async () => {
    const { draft } = await renew();
    await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false });
    await expectInvalid(stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false }));
  });

  // https://docs.stripe.com/api/subscriptions/cancel: "immediately".
  test('doesn’t keep its subscription from being canceled at once', async () => {
    const { renewed } = await renew();
    expect((await stripe.subscriptions.cancel(renewed.id)).status).toBe('canceled');
  });
});
