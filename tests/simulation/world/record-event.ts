import type { Stripe } from 'stripe';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { handledEventTypes } from '../../../functions/domain/handled-event-types.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { currentActor } from '../faults/actor.ts';
import { applyEvent, isRefundable, runningSubscriptions } from '../model/subscriber.ts';
import type { World } from './world.ts';

/**
 * Queues a Stripe event for delivery, applies it to the account's model and checks the invariants of charges
 * and refunds.
 */
export function recordEvent(world: World, event: Stripe.Event): void {
  world.schedules.hasWork = true;
  world.log?.(`  Stripe: ${event.type} ${describe(event)}`);
  // Stripe sends an endpoint the types that it asks for.
  if (handledEventTypes.has(event.type)) {
    const envelope = { event };
    world.events.push(envelope);
    world.undelivered.push(envelope);
  }
  if (event.type === 'customer.created') {
    const { id, metadata } = event.data.object;
    const owner = world.accounts.find((account) => isMarkOf(metadata, account.id));
    if (owner) world.customerOwners.set(id, owner);
  }
  const customer = customerOf(event);
  const account = customer === undefined ? undefined : world.customerOwners.get(customer);
  if (customer === undefined || !account) return;
  account.eventCount += 1;
  if (event.type === 'charge.succeeded') {
    world.newestCharges.set(customer, event.data.object.id);
    if (currentActor()?.runsHandler) world.violations.add(`The product itself has charged ${account.id}.`);
    const isGone = !world.exists(account) && !world.isDeferred(account);
    if (isGone && !paysMailed(world, event.data.object)) {
      world.violations.add(`${account.id} is charged after the account was deleted.`);
    }
  }
  if (event.type === 'charge.refunded' && !world.supportIsActing && world.exists(account)) {
    const { id } = event.data.object;
    // A deletion refunds what is paid from its second on, whether or not the subscription has ended.
    const isOfDeletion =
      account.deletionRequested &&
      account.model.payments.some(({ charge, at }) => charge === id && at === event.created);
    if (!isOfDeletion && !isRefundable(account.model, id)) {
      world.violations.add(`The only payment of ${account.id} for a period is refunded.`);
    }
  }
  if (event.type === 'customer.subscription.deleted' && currentActor()?.runsHandler) {
    const { id, metadata } = event.data.object;
    const isPaid = runningSubscriptions(account.model, event.created).some(([running]) => running === id);
    if (isPaid && Object.values(metadata).includes('unpaid')) {
      world.violations.add(`${id} is ended as unpaid, and may still be paid.`);
    }
  }
  // Support, a cancellation or the deletion of the account ends a subscription without a refund.
  const endWasRequested =
    world.supportIsActing ||
    currentActor()?.cancels === true ||
    world.rowOf(account)?.closing_until !== undefined;
  const charge = world.newestCharges.get(customer) ?? '';
  account.model = applyEvent(account.model, event, { charge, endWasRequested });
  if (world.expectedPlanOf(account).plan !== 'free') account.wasEntitled = true;
}

/** Mailed invoices stay due, also those of a deleted account: support has arranged them. */
function paysMailed({ stripe: { ledger } }: World, { payment_intent: intent }: Stripe.Charge): boolean {
  const payment = ledger.invoicePayments.list().find((each) => each.payment.payment_intent === intent);
  const invoice = typeof payment?.invoice === 'string' ? ledger.invoices.get(payment.invoice) : undefined;
  return invoice?.collection_method === 'send_invoice';
}

const isMarkOf = (metadata: Stripe.Metadata, userId: string): boolean =>
  Object.entries(markOf(STAGE, userId)).every(([key, value]) => metadata[key] === value);

function customerOf({ data, type }: Stripe.Event): string | undefined {
  const object = data.object as { id?: string; object: string; customer?: string | { id: string } | null };
  if (type.startsWith('customer.') && object.object === 'customer') return object.id;
  return typeof object.customer === 'string' ? object.customer : object.customer?.id;
}

/** The fields that distinguish events in a log. */
function describe({ data }: Stripe.Event): string {
  const { id, status, cancel_at, lines, parent } = data.object as unknown as Record<string, unknown>;
  return JSON.stringify({
    id,
    status,
    cancel_at,
    parent,
    period: (lines as Stripe.Invoice['lines'] | undefined)?.data[0]?.period,
  });
}
