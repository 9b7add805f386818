import type { BillingState } from '../../schemas/rows/billing-state.ts';

/** The mails about a plan, by what has happened. */
export type NewsKind =
  | 'begun'
  | 'renewed'
  | 'year'
  | 'failed'
  | 'arrived'
  | 'cancelled'
  | 'kept'
  | 'ending'
  | 'ended'
  | 'refunded'
  | 'complimentary'
  | 'price';

/** A mail to send. `before`: what its reader knows. `after`: what the reader knows once it is sent. */
export interface News {
  kind: NewsKind;
  before: BillingState;
  after: BillingState;
}

/** Milliseconds before the end of Plus at which a reminder is due. */
const REMINDER = 3 * 86_400_000;

/**
 * The mails that take a user from what was told to what is known, in order. The last `after` has nothing left
 * to tell. Compares two states and no events, so lost, repeated and late events change nothing; changes that
 * cancelled each other out before anybody was told are not told.
 */
export function subscriptionNews(told: BillingState, seen: BillingState, now: Date): News[] {
  const news: News[] = [];
  let known = told;
  const tell = (kind: NewsKind, change: Partial<BillingState>): void => {
    const after = { ...known, ...change };
    news.push({ kind, before: known, after });
    known = after;
  };
  tellPayment(known, seen, tell);
  tellYear(known, seen, tell);
  if (seen.failed && seen.failed.invoice !== known.failed?.invoice) tell('failed', { failed: seen.failed });
  tellPlan(known, seen, now, tell);
  if (seen.refunded && seen.refunded.boughtAt > (known.refunded?.boughtAt ?? 0)) {
    tell('refunded', { refunded: seen.refunded });
  }
  tellPrice(known, seen, now, tell);
  return news;
}

type Tell = (kind: NewsKind, change: Partial<BillingState>) => void;

const isPayer = ({ plan, complimentary }: BillingState): boolean => plan === 'plus' && !complimentary;

function tellPayment(told: BillingState, { paid, nextCharge }: BillingState, tell: Tell): void {
  if (!paid || paid.at <= (told.paid?.at ?? 0)) return;
  // Nothing was charged: a voucher has paid the renewal.
  if (paid.amount === 0 && !paid.isFirst) return;
  const begins = paid.isFirst || !isPayer(told);
  const kind = paid.isFirst
    ? 'begun'
    : begins || paid.invoice === told.failed?.invoice
      ? 'arrived'
      : 'renewed';
  tell(kind, {
    plan: 'plus',
    complimentary: undefined,
    // The year is news of its own.
    paid: { ...paid, years: paid.isFirst ? 0 : Math.min(paid.years, told.paid?.years ?? 0) },
    nextCharge,
    failed: undefined,
    ended: undefined,
    ...(begins && { ends: undefined, endsByDeletion: undefined, reminded: undefined }),
  });
}

function tellYear(told: BillingState, { paid }: BillingState, tell: Tell): void {
  if (paid && paid.at === told.paid?.at && paid.years > told.paid.years) tell('year', { paid });
}

function tellPlan(known: BillingState, seen: BillingState, now: Date, tell: Tell): void {
  const { plan, complimentary, ends, endsByDeletion, nextCharge, ended } = seen;
  const change = { plan, complimentary, ends, endsByDeletion, nextCharge, ended };
  if (plan === 'free') {
    if (known.plan === 'plus') tell('ended', { ...change, failed: undefined, reminded: undefined });
    return;
  }
  const until = ends === undefined ? Infinity : Date.parse(ends);
  const isSoon = until - now.getTime() <= REMINDER;
  const reminded = isSoon ? ends : undefined;
  if (complimentary && !known.complimentary) return tell('complimentary', { ...change, reminded });
  if (known.plan === 'free') return tell('kept', { ...change, reminded });
  // The mails about a deletion tell of the end that it sets.
  if (endsByDeletion) return;
  if (!isSameDay(known.ends, ends))
    return tell(ends === undefined ? 'kept' : 'cancelled', { ...change, reminded });
  if (isSoon && until > now.getTime() && !isSameDay(known.reminded, ends))
    tell('ending', { ...change, reminded });
}

// Mails name days: another hour of the same day is no news. Both are ISO 8601 in UTC.
const isSameDay = (one: string | undefined, other: string | undefined): boolean =>
  one?.slice(0, 10) === other?.slice(0, 10);

/** A user who is charged nothing next, or whose payment is due, is told once that is over. */
function tellPrice(known: BillingState, { newPrice, nextCharge }: BillingState, now: Date, tell: Tell): void {
  if (!newPrice || nextCharge?.amount === undefined) return;
  if (known.newPrice?.announcedAt === newPrice.announcedAt) return;
  tell('price', { nextCharge, newPrice: { ...newPrice, toldAt: Math.floor(now.getTime() / 1000) } });
}

/** The time at which the user is to be reminded of the end of Plus. Undefined without an end. */
export const reminderAt = ({ plan, ends, endsByDeletion }: BillingState): Date | undefined =>
  plan === 'free' || ends === undefined || endsByDeletion ? undefined : new Date(Date.parse(ends) - REMINDER);
