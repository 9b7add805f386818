import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { handledEventTypes } from '../../functions/domain/handled-event-types.ts';
import { stripeEventSubject } from '../../functions/domain/stripe-event-subject.ts';
import {
  advanceTo,
  DAY,
  giveCard,
  HOUR,
  idOf,
  limitOf,
  metadata,
  periodEnd,
  expectInvalid,
  useTarget,
  subscribe,
  subscribeAndFail,
  STAGE,
  user,
  target,
  stripe,
} from './harness.ts';

// https://docs.stripe.com/api/events/types has a sentence about each type. Other addresses are in the
// comments.

useTarget();

interface Cause {
  /** Makes the event happen. Resolves with the customer that it is about. */
  happen: () => Promise<string>;
  /** Whether neither the event's object nor its parent has the metadata of the purchase. */
  lacksUser?: true;
  /** Why the running target can't make it happen. */
  limit?: string | undefined;
}

const causes: Readonly<Record<string, Cause>> = {
  'checkout.session.completed': { limit: limitOf('page'), happen: () => checkOut() },
  // Sent when a payment that was processing is over. The cards are the stand-in's own.
  'checkout.session.async_payment_succeeded': {
    limit: limitOf('page'),
    happen: () => checkOut('4000 0099 9900 0014'),
  },
  'checkout.session.async_payment_failed': {
    limit: limitOf('page'),
    happen: () => checkOut('4000 0099 9900 0022'),
  },
  // "Asynchronous failure": https://docs.stripe.com/testing#refunds. A refund has its own metadata.
  'refund.failed': {
    lacksUser: true,
    happen: async () => {
      const { customer } = await subscribe('pm_card_refundFail');
      const { data } = await stripe.charges.list({ customer: customer.id });
      await stripe.refunds.create({ payment_intent: idOf(data[0]?.payment_intent) });
      await target.advance(2 * DAY);
      return customer.id;
    },
  },
  'customer.deleted': {
    happen: async () => {
      const { id } = await target.createCustomer({ metadata });
      await stripe.customers.del(id);
      return id;
    },
  },
  'customer.subscription.created': { happen: async () => (await subscribe()).customer.id },
  'customer.subscription.updated': {
    happen: async () => {
      const { customer, subscription } = await subscribe();
      await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
      return customer.id;
    },
  },
  'customer.subscription.deleted': {
    happen: async () => {
      const { customer, subscription } = await subscribe();
      await stripe.subscriptions.cancel(subscription.id);
      return customer.id;
    },
  },
  // "Only applies when subscriptions enter status=paused". That happens at the end of a trial without a
  // payment method: https://docs.stripe.com/billing/subscriptions/trials/free-trials
  'customer.subscription.paused': {
    limit: limitOf('trial'),
    happen: async () => (await pause()).customer.id,
  },
  // "Only applies when a status=paused subscription is resumed".
  'customer.subscription.resumed': {
    limit: limitOf('trial'),
    happen: async () => {
      const { customer, subscription } = await pause();
      await giveCard(customer.id, 'pm_card_visa');
      await stripe.subscriptions.resume(subscription.id);
      return customer.id;
    },
  },
  // https://docs.stripe.com/billing/subscriptions/webhooks
  'invoice.paid': { happen: async () => (await subscribe()).customer.id },
  'invoice.payment_failed': { happen: async () => (await subscribeAndFail()).customer.id },
  // "Sent whenever a draft invoice cannot be finalized": https://docs.stripe.com/api/events/types
  'invoice.finalization_failed': {
    limit: limitOf('finalization'),
    happen: async () => {
      const { customer } = await subscribe();
      target.blockFinalization?.(customer.id);
      await target.advance(32 * DAY);
      return customer.id;
    },
  },
  // An item's metadata are its own.
  'invoiceitem.created': {
    lacksUser: true,
    happen: async () => {
      const { customer } = await subscribe();
      await stripe.invoiceItems.create({ customer: customer.id, amount: 300, currency: 'usd' });
      return customer.id;
    },
  },
  // Sent "X number of days before a subscription is scheduled to create an invoice [...], where X is
  // determined by your subscriptions settings". The setting has to be at least three days.
  'invoice.upcoming': {
    happen: async () => {
      const { customer, subscription } = await subscribe();
      await advanceTo(periodEnd(subscription) - 2 * DAY);
      return customer.id;
    },
  },
};

/** A purchase on the page of a session, and the days in which its payment may be processing. */
async function checkOut(card?: string): Promise<string> {
  const customer = await target.createCustomer({ email: 'ada@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    ui_mode: 'embedded_page',
    customer: customer.id,
    line_items: [{ price: (await target.monthlyPrice()).id, quantity: 1 }],
    return_url: 'https://selfsame.example/checkout/return',
    metadata,
    subscription_data: { metadata },
  });
  await target.pay?.(session, card);
  await target.advance(5 * DAY);
  return customer.id;
}

/** A subscription whose trial has ended without a card. */
async function pause(): Promise<{ customer: Stripe.Customer; subscription: Stripe.Subscription }> {
  const customer = await target.createCustomer();
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: (await target.monthlyPrice()).id }],
    metadata,
    trial_period_days: 1,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  });
  await target.advance(DAY + HOUR);
  return { customer, subscription: await stripe.subscriptions.retrieve(id) };
}

describe.each([...handledEventTypes])('%s', (type) => {
  // https://docs.stripe.com/api/events/list#list_events-types
  test('is listed with its customer and its user', async (context) => {
    const cause = causes[type];
    if (!cause) throw new Error('The product handles this type, and no sentence says how it looks.');
    context.skip(cause.limit !== undefined, cause.limit);
    const customerId = await cause.happen();
    const subject = await target.eventually(async () => {
      const { data } = await stripe.events.list({ types: [type], limit: 100 });
      return data
        .map((event) => stripeEventSubject(event, STAGE))
        .find((each) => each?.customerId === customerId);
    });
    expect(subject).toMatchObject({
      type,
      customerId,
      created: expect.any(Number) as number,
      ...(!cause.lacksUser && { userId: user }),
    });
  });
});

describe('the list of events', () => {
  const types = ['customer.created', 'customer.deleted'];

  // "The list will be filtered to include only events with a matching event property":
  // https://docs.stripe.com/api/events/list#list_events-types. gte is "greater than or equal to", lt is "less
  // than": https://docs.stripe.com/api/events/list#list_events-created
  test('has the asked types only, newest first, from the asked second until before the asked second', async () => {
    const { id: customer } = await target.createCustomer();
    await stripe.customers.update(customer, { name: 'Ada' });
    await stripe.customers.del(customer);
    const events = await target.eventually(async () => {
      const list = await stripe.events.list({ types, limit: 100 });
      const about = list.data.filter(({ data: { object } }) => 'id' in object && object.id === customer);
      return about.length === 2 ? about : undefined;
    });
    expect(events.map(({ type }) => type)).toEqual(['customer.deleted', 'customer.created']);
    const { data } = await stripe.events.list({ types, limit: 100 });
    expect(data.filter(({ type }) => !types.includes(type))).toEqual([]);
    const [deleted] = events;
    const created = Number(deleted?.created);
    const idsOf = async (range: Stripe.RangeQueryParam): Promise<string[]> => {
      const list = stripe.events.list({ types, created: range, limit: 100 });
      return (await list.autoPagingToArray({ limit: 1_000 })).map(({ id }) => id);
    };
    expect(await idsOf({ gte: created })).toContain(deleted?.id);
    expect(await idsOf({ gte: created + 1 })).not.toContain(deleted?.id);
    expect(await idsOf({ gte: created, lt: created + 1 })).toContain(deleted?.id);
    expect(await idsOf({ gte: created - 60, lt: created })).not.toContain(deleted?.id);
  });

  // "An array of up to 20 strings containing specific event names":
  // https://docs.stripe.com/api/events/list#list_events-types
  test('takes twenty types, and refuses twenty-one', async () => {
    const many = [...handledEventTypes, ...Array.from({ length: 21 }, () => 'invoice.voided')];
    await stripe.events.list({ types: many.slice(0, 20) });
    await expectInvalid(stripe.events.list({ types: many.slice(0, 21) }));
  });
});
