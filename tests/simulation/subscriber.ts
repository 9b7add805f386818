import type { Stripe } from 'stripe';

/**
 * The model: what somebody has paid for, told from their money and not from Stripe's word for a subscription's status. It
 * hears everything that happens at Stripe at once, in order and exactly once, as the product never does. Moments are Unix seconds.
 */
export interface Subscriber {
  /** By subscription id. */
  contracts: ReadonlyMap<string, Contract>;
  payments: readonly Payment[];
  /** Plus that somebody wrote into the row: until then, or for good. `doubtful` once a deletion has begun that may have taken it. */
  given: { until: number | undefined; doubtful?: true } | undefined;
}

interface Contract {
  paidUntil: number;
  /** The bank said no to the period that has begun, and Stripe asks it again. */
  beingRetried: boolean;
  /** It is to end then, and not to renew. */
  endsAt: number | undefined;
  endedAt: number | undefined;
  /** It ran, at some moment, while another one did. */
  besideAnother: boolean;
  /** Ended before its time by nobody's wish: what it took is not used up. */
  takenAway: boolean;
}

interface Payment {
  contract: string;
  charge: string;
  /** When the money was taken. */
  at: number;
  /** The time that it pays for. */
  from: number;
  until: number;
  refunded: boolean;
}

export const nobody: Subscriber = { contracts: new Map(), payments: [], given: undefined };

/** What should stand in the row. `either`: a gift has met a purchase or a deletion, and what was seen last is chance. */
export type Due =
  | { plan: 'free' }
  | { plan: 'plus'; expiresAt: number | undefined; subscription: string | undefined; byHand: boolean }
  | { plan: 'either' };

export function due(subscriber: Subscriber, at: number): Due {
  const running = runningContracts(subscriber, at);
  const [first] = running.toSorted(([, a], [, b]) => (b.endsAt ?? Infinity) - (a.endsAt ?? Infinity));
  if (first) {
    const [id, { endsAt }] = first;
    return {
      plan: 'plus',
      expiresAt: endsAt,
      subscription: endsAt === undefined ? id : undefined,
      byHand: false,
    };
  }
  const { given, contracts } = subscriber;
  if (!given || (given.until !== undefined && given.until <= at)) return { plan: 'free' };
  if (contracts.size > 0 || given.doubtful) return { plan: 'either' };
  return { plan: 'plus', expiresAt: given.until, subscription: undefined, byHand: true };
}

/** Those that give a right to Plus. */
export const runningContracts = (subscriber: Subscriber, at: number): [string, Contract][] =>
  [...subscriber.contracts].filter(
    ([, { endedAt, paidUntil, beingRetried }]) => endedAt === undefined && (paidUntil > at || beingRetried),
  );

/**
 * Pairs of payments for the same time that were both kept. One whose end somebody asked for pays for no time beyond that end.
 * `unlooked`: for how many seconds it can be that nobody looks. Where somebody has one of the two end within them, there is one
 * subscription left, and nothing to be seen.
 */
export function chargedTwice({ contracts, payments }: Subscriber, unlooked: number): [Payment, Payment][] {
  const kept = payments
    .filter(({ refunded }) => !refunded)
    .map((payment) => ({
      ...payment,
      until: Math.min(payment.until, usedUntil(contracts.get(payment.contract))),
    }))
    .toSorted((a, b) => a.from - b.from);
  return kept.flatMap((one, index) =>
    kept
      .slice(index + 1)
      .filter((other) => {
        const isSeen = [one, other].every(({ contract }) => usedUntil(contracts.get(contract)) === Infinity);
        return Math.min(one.until, other.until) - other.from > (isSeen ? 0 : unlooked);
      })
      .map((other): [Payment, Payment] => [one, other]),
  );
}

/** Whether a payment may be given back by nobody's wish: there was another, or what it paid for ended as it was made. */
export function isVain({ contracts, payments }: Subscriber, charge: string): boolean {
  const payment = payments.find((one) => one.charge === charge);
  if (!payment) return false;
  const { besideAnother, endedAt = Infinity } = contracts.get(payment.contract) ?? {};
  return besideAnother === true || endedAt <= payment.at;
}

const usedUntil = (contract: Contract | undefined): number =>
  contract?.takenAway ? Infinity : (contract?.endedAt ?? Infinity);

const contractOf = (subscriber: Subscriber, id: string): Contract =>
  subscriber.contracts.get(id) ?? {
    paidUntil: 0,
    beingRetried: false,
    endsAt: undefined,
    endedAt: undefined,
    besideAnother: false,
    takenAway: false,
  };

const withContract = (subscriber: Subscriber, id: string, change: Partial<Contract>): Subscriber => ({
  ...subscriber,
  contracts: new Map([...subscriber.contracts, [id, { ...contractOf(subscriber, id), ...change }]]),
});

const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

interface Circumstances {
  /** The one that was taken last: an invoice is paid right after. */
  charge: string;
  /** Whether somebody wants the end that an event tells of. */
  asked: boolean;
}

export function hear(subscriber: Subscriber, event: Stripe.Event, circumstances: Circumstances): Subscriber {
  const heard = fold(subscriber, event, circumstances);
  const running = runningContracts(heard, event.created);
  if (running.length < 2) return heard;
  return running.reduce((all, [id]) => withContract(all, id, { besideAnother: true }), heard);
}

function fold(subscriber: Subscriber, event: Stripe.Event, { charge, asked }: Circumstances): Subscriber {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated': {
      const { id, cancel_at } = event.data.object;
      return withContract(subscriber, id, { endsAt: cancel_at ?? undefined });
    }
    case 'customer.subscription.deleted': {
      const { id, ended_at, cancel_at, cancellation_details } = event.data.object;
      const endedAt = ended_at ?? event.created;
      const inTime = cancel_at !== null && cancel_at <= endedAt;
      const takenAway = !asked && !inTime && cancellation_details?.reason !== 'payment_failed';
      return withContract(subscriber, id, { endedAt, beingRetried: false, takenAway });
    }
    case 'invoice.paid': {
      const { parent, lines } = event.data.object;
      const contract = idOf(parent?.subscription_details?.subscription);
      const { start = 0, end = 0 } = lines.data[0]?.period ?? {};
      const paid = withContract(subscriber, contract, {
        paidUntil: Math.max(end, contractOf(subscriber, contract).paidUntil),
        beingRetried: false,
      });
      const payment = { contract, charge, at: event.created, from: start, until: end, refunded: false };
      return { ...paid, payments: [...subscriber.payments, payment] };
    }
    case 'invoice.payment_failed': {
      const { parent, next_payment_attempt } = event.data.object;
      const contract = idOf(parent?.subscription_details?.subscription);
      return withContract(subscriber, contract, { beingRetried: next_payment_attempt !== null });
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
