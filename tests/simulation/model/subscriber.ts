import type { Stripe } from 'stripe';

/**
 * The model of a subscriber: what the user has paid for, derived from payments and not from a subscription's
 * status. The model receives every Stripe event immediately, in order and exactly once, unlike the product.
 * Times are Unix seconds.
 */
export interface Subscriber {
  /** By subscription id. */
  subscriptions: ReadonlyMap<string, ModelSubscription>;
  payments: readonly Payment[];
  /**
   * A complimentary plan written into the row. `deletionStarted`: an account deletion may have removed the
   * plan.
   */
  complimentary: { until: number | undefined; deletionStarted?: true } | undefined;
}

const DAY = 86_400;
// Seconds from a renewal for which Plus goes on without a try: decisions/0003.
const FIFTEEN_DAYS = 15 * DAY;

interface ModelSubscription {
  paidUntil: number;
  /**
   * Stripe is going to try the payment of the current period: the renewal's invoice is a draft, or the
   * payment failed and is retried.
   */
  paymentIsComing: boolean;
  /** The end of the period of the newest renewal. */
  renewedUntil: number;
  /** Stripe doesn't try the payment again. Plus ends then unless it arrives, or support has arranged it. */
  triesEndAt: number | undefined;
  /** Support has paused the payments, or has the invoices mailed. */
  isArranged: boolean;
  /**
   * Stripe sends no event where support switches the tries off. The product notices a day after the next try
   * that Stripe had named.
   */
  noticedBy: number;
  /** The time at which the subscription is set to end instead of renewing. */
  endsAt: number | undefined;
  endedAt: number | undefined;
  /** Support has paused the subscription. */
  isPaused: boolean;
  /** The last time that support paused the subscription. */
  pausedAt: number;
  /** At some moment another subscription ran at the same time. */
  hasOverlapped: boolean;
  /** The product ended the subscription early without a request, so the paid time counts as unused. */
  endedUnrequested: boolean;
  /** Stripe ended the subscription because payments failed. */
  endedUnpaid: boolean;
}

interface Payment {
  subscription: string;
  charge: string;
  /** When the money was taken. */
  at: number;
  /** The time that the payment gives. */
  from: number;
  until: number;
  refunded: boolean;
  /** Whether it pays a mailed invoice, which stays due: support decides what it is for. */
  isMailed: boolean;
}

export const newSubscriber: Subscriber = {
  subscriptions: new Map(),
  payments: [],
  complimentary: undefined,
};

/**
 * The row's expected plan. `either`: a complimentary plan met a purchase or a deletion, and the outcome
 * depends on which the product saw last; or all that runs is a second subscription that was refunded.
 */
export type ExpectedPlan =
  | { plan: 'free' }
  | {
      plan: 'paid';
      expiresAt: number | undefined;
      subscription: string | undefined;
      isComplimentary: boolean;
    }
  | { plan: 'either' };

export function expectedPlan(subscriber: Subscriber, at: number): ExpectedPlan {
  const running = runningSubscriptions(subscriber, at);
  const [longest] = running.toSorted(([, a], [, b]) => (b.endsAt ?? Infinity) - (a.endsAt ?? Infinity));
  if (running.length > 0 && running.every(([id]) => isReturned(subscriber, id))) return { plan: 'either' };
  if (longest) {
    const [id, { endsAt }] = longest;
    return {
      plan: 'paid',
      expiresAt: endsAt,
      subscription: endsAt === undefined ? id : undefined,
      isComplimentary: false,
    };
  }
  const { complimentary, subscriptions } = subscriber;
  if (!complimentary || (complimentary.until !== undefined && complimentary.until <= at)) {
    return { plan: 'free' };
  }
  if (subscriptions.size > 0 || complimentary.deletionStarted) return { plan: 'either' };
  return { plan: 'paid', expiresAt: complimentary.until, subscription: undefined, isComplimentary: true };
}

/** The subscriptions that entitle to Plus. */
export const runningSubscriptions = (subscriber: Subscriber, at: number): [string, ModelSubscription][] =>
  [...subscriber.subscriptions].filter(
    ([, { endedAt, isArranged, isPaused, paidUntil, paymentIsComing, triesEndAt = Infinity }]) =>
      endedAt === undefined &&
      !isPaused &&
      (paidUntil > at || (paymentIsComing && (isArranged || triesEndAt > at))),
  );

/**
 * The subscription was bought beside another, and all its money went back. It may run on for hours if Stripe
 * refuses to end it.
 */
function isReturned({ subscriptions, payments }: Subscriber, id: string): boolean {
  const ofIt = payments.filter(({ subscription }) => subscription === id);
  const { hasOverlapped = false } = subscriptions.get(id) ?? {};
  return hasOverlapped && ofIt.length > 0 && ofIt.every(({ refunded }) => refunded);
}

/**
 * Pairs of payments for the same time that were both kept. A subscription that ended on request used no time
 * after its end. `detectionDelay`: the seconds until the product notices an overlap when every webhook is
 * lost. An overlap that ends within the delay, on request or because a renewal is not paid, is never noticed.
 * `now`: Unix seconds.
 */
export function doublePayments(
  { subscriptions, payments }: Subscriber,
  { detectionDelay, now }: { detectionDelay: number; now: number },
): [Payment, Payment][] {
  const hasLapsed = ({ subscription, until }: Payment): boolean =>
    until < now && !payments.some((other) => other.subscription === subscription && other.from >= until);
  const endOf = ({ subscription }: Payment): number => usedUntil(subscriptions.get(subscription));
  const kept = payments
    .filter(({ refunded, isMailed }) => !refunded && !isMailed)
    .map((payment) => ({ ...payment, until: Math.min(payment.until, endOf(payment)) }))
    .toSorted((a, b) => a.from - b.from);
  return kept.flatMap((first, index) =>
    kept
      .slice(index + 1)
      .filter((second) => {
        const pair = [first, second];
        const until = Math.min(first.until, second.until);
        const isNoticed = pair.every(
          (payment) => endOf(payment) === Infinity && !(payment.until === until && hasLapsed(payment)),
        );
        return until - second.from > (isNoticed ? 0 : detectionDelay);
      })
      .map((second): [Payment, Payment] => [first, second]),
  );
}

/**
 * Whether the product may refund a payment without a request: the subscription overlapped with another, or
 * had ended when the money was taken, or was paused in the second that it was paid for, or Stripe ended it
 * within the paid time, since an invoice from before a pause wasn't paid.
 */
export function isRefundable({ subscriptions, payments }: Subscriber, charge: string): boolean {
  const payment = payments.find((candidate) => candidate.charge === charge);
  if (!payment) return false;
  const { hasOverlapped, endedAt = Infinity, endedUnpaid } = subscriptions.get(payment.subscription) ?? {};
  const isCutOff = endedUnpaid === true && endedAt < payment.until;
  return hasOverlapped === true || endedAt <= payment.at || payment.until <= payment.from || isCutOff;
}

const usedUntil = (subscription: ModelSubscription | undefined): number =>
  subscription?.endedUnrequested ? Infinity : (subscription?.endedAt ?? Infinity);

const subscriptionOf = (subscriber: Subscriber, id: string): ModelSubscription =>
  subscriber.subscriptions.get(id) ?? {
    paidUntil: 0,
    paymentIsComing: false,
    renewedUntil: 0,
    triesEndAt: undefined,
    isArranged: false,
    noticedBy: 0,
    endsAt: undefined,
    endedAt: undefined,
    isPaused: false,
    pausedAt: 0,
    hasOverlapped: false,
    endedUnrequested: false,
    endedUnpaid: false,
  };

const withSubscription = (
  subscriber: Subscriber,
  id: string,
  change: Partial<ModelSubscription>,
): Subscriber => ({
  ...subscriber,
  subscriptions: new Map([
    ...subscriber.subscriptions,
    [id, { ...subscriptionOf(subscriber, id), ...change }],
  ]),
});

const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

const subscriptionIdOf = ({ parent }: Stripe.Invoice): string =>
  idOf(parent?.subscription_details?.subscription);

/** The period that an invoice is for. Added items have lines of their own. */
const periodOf = ({ lines }: Stripe.Invoice): { start: number; end: number } =>
  lines.data.find(({ parent }) => parent?.type === 'subscription_item_details')?.period ?? {
    start: 0,
    end: 0,
  };

/** Whether a newer renewal exists, which decides whether a payment is coming. */
const isEarlier = (subscriber: Subscriber, invoice: Stripe.Invoice): boolean =>
  periodOf(invoice).end < subscriptionOf(subscriber, subscriptionIdOf(invoice)).renewedUntil;

/** The subscription whose period is settled by an invoice, paid or not. */
function settled(subscriber: Subscriber, invoice: Stripe.Invoice): Subscriber {
  const subscription = subscriptionIdOf(invoice);
  return withSubscription(subscriber, subscription, {
    paidUntil: Math.max(periodOf(invoice).end, subscriptionOf(subscriber, subscription).paidUntil),
    ...(!isEarlier(subscriber, invoice) && { paymentIsComing: false, triesEndAt: undefined }),
  });
}

interface EventContext {
  /** The newest charge of the customer. Stripe sends `invoice.paid` right after the charge. */
  charge: string;
  /** The user or support requested the end that an event reports. */
  endWasRequested: boolean;
}

/** The model after a Stripe event. */
export function applyEvent(subscriber: Subscriber, event: Stripe.Event, context: EventContext): Subscriber {
  const updated = applyToSubscription(subscriber, event, context);
  const running = runningSubscriptions(updated, event.created);
  if (running.length < 2) return updated;
  return running.reduce((model, [id]) => withSubscription(model, id, { hasOverlapped: true }), updated);
}

function applyToSubscription(
  subscriber: Subscriber,
  event: Stripe.Event,
  { charge, endWasRequested }: EventContext,
): Subscriber {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated': {
      const { id, cancel_at, collection_method, metadata, pause_collection, status } = event.data.object;
      // A cancellation has declined the payment that is due. Stripe may end the subscription hours later.
      if (endWasRequested && metadata['ended'] === 'declined') {
        return withSubscription(subscriber, id, { endedAt: event.created, paymentIsComing: false });
      }
      const isPaused = status === 'paused';
      const updated = withSubscription(subscriber, id, {
        endsAt: cancel_at ?? undefined,
        isArranged: pause_collection !== null || collection_method === 'send_invoice',
        isPaused,
        ...(isPaused && !subscriptionOf(subscriber, id).isPaused && { pausedAt: event.created }),
      });
      if (!isPaused) return updated;
      // The time after a pause is not paid for: it is credited, or support has taken it.
      const payments = subscriber.payments.map((payment) =>
        payment.subscription === id ? { ...payment, until: Math.min(payment.until, event.created) } : payment,
      );
      return { ...updated, payments };
    }
    case 'customer.subscription.deleted': {
      const { id, ended_at, cancel_at, cancellation_details } = event.data.object;
      const { endedAt: declinedAt } = subscriptionOf(subscriber, id);
      const endedAt = declinedAt ?? ended_at ?? event.created;
      const endedAsScheduled = cancel_at !== null && cancel_at <= endedAt;
      const isRequested = endWasRequested || declinedAt !== undefined;
      const endedUnpaid = cancellation_details?.reason === 'payment_failed';
      const endedUnrequested = !isRequested && !endedAsScheduled && !endedUnpaid;
      return withSubscription(subscriber, id, {
        endedAt,
        paymentIsComing: false,
        endedUnrequested,
        endedUnpaid,
      });
    }
    case 'invoice.paid': {
      const { amount_paid, billing_reason, collection_method, created } = event.data.object;
      const subscription = subscriptionIdOf(event.data.object);
      const { start, end } = periodOf(event.data.object);
      const paid = settled(subscriber, event.data.object);
      if (amount_paid === 0) return paid;
      // Plus begins when a first payment arrives, which can be days after the period has begun.
      const from = billing_reason === 'subscription_create' ? Math.max(start, event.created) : start;
      // Stripe collects an invoice from before a pause, which gives no time: the resumption bills it.
      const isUnused =
        created <= subscriptionOf(subscriber, subscription).pausedAt &&
        billing_reason !== 'subscription_update';
      const until = isUnused ? from : end;
      const isMailed = collection_method === 'send_invoice';
      const payment = { subscription, charge, at: event.created, from, until, refunded: false, isMailed };
      return { ...paid, payments: [...subscriber.payments, payment] };
    }
    case 'invoice.marked_uncollectible':
    case 'invoice.voided': {
      // Support forgives a renewal, and Stripe calls the subscription active.
      const { endedAt, paidUntil } = subscriptionOf(subscriber, subscriptionIdOf(event.data.object));
      const isForgiven = event.data.object.billing_reason === 'subscription_cycle' && paidUntil > 0;
      return isForgiven && endedAt === undefined ? settled(subscriber, event.data.object) : subscriber;
    }
    case 'invoice.created': {
      const { amount_due, billing_reason } = event.data.object;
      const subscription = subscriptionIdOf(event.data.object);
      if (billing_reason !== 'subscription_cycle') return subscriber;
      const { paidUntil, triesEndAt } = subscriptionOf(subscriber, subscription);
      // A subscription that was never paid gives nothing until it is.
      const paymentIsComing = paidUntil > 0;
      const renewedUntil = periodOf(event.data.object).end;
      return withSubscription(subscriber, subscription, {
        paymentIsComing,
        renewedUntil,
        // A renewal that costs nothing isn't tried, and until it counts the earlier one is unpaid.
        triesEndAt: amount_due === 0 ? triesEndAt : undefined,
      });
    }
    case 'invoice.updated': {
      const { attempted, auto_advance, created, status } = event.data.object;
      const subscription = subscriptionIdOf(event.data.object);
      // Stripe keeps a subscription active whose invoice was never tried.
      const isPastDue =
        attempted && event.data.previous_attributes?.auto_advance === true && status === 'open';
      if (auto_advance || !isPastDue || isEarlier(subscriber, event.data.object)) return subscriber;
      const next = event.data.previous_attributes?.next_payment_attempt ?? 0;
      return withSubscription(subscriber, subscription, {
        triesEndAt: created + FIFTEEN_DAYS,
        noticedBy: next + DAY,
      });
    }
    case 'invoice.payment_failed': {
      const { collection_method, next_payment_attempt, status } = event.data.object;
      const subscription = subscriptionIdOf(event.data.object);
      // Support decides about an invoice by mail, and about what it has written off.
      const isSupports = collection_method === 'send_invoice' || status !== 'open';
      if (isSupports || isEarlier(subscriber, event.data.object)) return subscriber;
      const wasPaid = subscriptionOf(subscriber, subscription).paidUntil > 0;
      const paymentIsComing = next_payment_attempt !== null && wasPaid;
      return withSubscription(subscriber, subscription, { paymentIsComing });
    }
    case 'charge.refunded': {
      const { id, refunded } = event.data.object;
      return {
        ...subscriber,
        payments: subscriber.payments.map((payment) =>
          payment.charge === id ? { ...payment, refunded } : payment,
        ),
      };
    }
    default:
      return subscriber;
  }
}
