import { isPaid } from '../../schemas/product/offers.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';

/** The mails about a plan, by what has happened. */
export type PlanNoticeKind =
  | 'begun'
  | 'renewed'
  | 'year'
  | 'failed'
  | 'arrived'
  | 'cancelled'
  | 'kept'
  | 'ending'
  | 'ended'
  | 'terms'
  | 'purchase-failed'
  | 'refunded'
  | 'complimentary';

/** A mail to send. */
export interface PlanNotice {
  kind: PlanNoticeKind;
  /** The state that its reader knows. */
  before: BillingState;
  /** The state that its reader knows once it is sent. */
  after: BillingState;
  /** The same for each reader that `maybeNotified` names. */
  maybeAfter: readonly BillingState[];
}

// Milliseconds.
const DAY = 86_400_000;
/** Time before the end of Plus at which a reminder is due. */
const REMINDER = 3 * DAY;
/**
 * A higher charge is announced in the thirty days before it. California's law wants the notice 7 to 30 days
 * before (Business and Professions Code, section 17602), card networks at least seven.
 */
const ANNOUNCED_WITHIN = 30 * DAY;

/**
 * The mails that take a user from the notified state to the newest one, in order. The last `after` leaves
 * nothing to notify about. Compares states and no events, so lost, repeated and late events change nothing;
 * changes that canceled each other out before a mail are not mailed. `maybeNotified`: what the user was
 * notified of instead if mails whose sending was cut off have arrived. Their text names the plan that
 * follows, so no second mail is needed.
 */
export function planNotices(
  notified: BillingState,
  seen: BillingState,
  now: Date,
  maybeNotified: readonly BillingState[] = [],
): PlanNotice[] {
  const notices: PlanNotice[] = [];
  let known = notified;
  let maybe = maybeNotified;
  const add = (kind: PlanNoticeKind, change: Partial<BillingState>): void => {
    const after = { ...known, ...change };
    maybe = maybe.map((state) => ({ ...state, ...change }));
    notices.push({ kind, before: known, after, maybeAfter: maybe });
    known = after;
  };
  addPayment({ notified, maybeNotified }, seen, now, add);
  // Nothing was charged: a voucher has paid the renewal.
  const isFree = seen.paid?.amount === 0 && !seen.paid.isFirst && seen.paid.at > (known.paid?.at ?? 0);
  if (isFree) known = { ...known, paid: seen.paid, nextCharge: seen.nextCharge };
  addYear(known, seen, add);
  if (seen.failed && seen.failed.invoice !== known.failed?.invoice) add('failed', { failed: seen.failed });
  const planBegins = notices.length;
  for (const state of [known, ...maybe]) if (notices.length === planBegins) addPlan(state, seen, now, add);
  if (notices.length === 0) addTerms(known, seen, now, add);
  const { purchaseFailed } = seen;
  if (
    purchaseFailed &&
    seen.plan === 'free' &&
    purchaseFailed.boughtAt > (known.purchaseFailed?.boughtAt ?? 0)
  )
    add('purchase-failed', { purchaseFailed });
  if (seen.refunded && seen.refunded.boughtAt > (known.refunded?.boughtAt ?? 0)) {
    add('refunded', { refunded: seen.refunded });
  }
  return notices;
}

type Add = (kind: PlanNoticeKind, change: Partial<BillingState>) => void;

const isPayer = ({ plan, complimentary }: BillingState): boolean => isPaid(plan) && !complimentary;

function addPayment(
  { notified, maybeNotified }: { notified: BillingState; maybeNotified: readonly BillingState[] },
  { paid, nextCharge }: BillingState,
  now: Date,
  add: Add,
): void {
  if (!paid || paid.at <= (notified.paid?.at ?? 0)) return;
  if (paid.amount === 0 && !paid.isFirst) return;
  const begins = paid.isFirst || ![notified, ...maybeNotified].every(isPayer);
  const kind = paid.isFirst
    ? 'begun'
    : begins || paid.invoice === notified.failed?.invoice
      ? 'arrived'
      : 'renewed';
  add(kind, {
    plan: paid.plan,
    complimentary: undefined,
    // The year is a notice of its own.
    paid: { ...paid, years: paid.isFirst ? 0 : Math.min(paid.years, notified.paid?.years ?? 0) },
    nextCharge: asTold(nextCharge, now),
    failed: undefined,
    ended: undefined,
    ...(begins && { ends: undefined, reminded: undefined }),
  });
}

function addYear(notified: BillingState, { paid }: BillingState, add: Add): void {
  if (paid && paid.at === notified.paid?.at && paid.years > notified.paid.years) add('year', { paid });
}

function addPlan(known: BillingState, seen: BillingState, now: Date, add: Add): void {
  const { plan, complimentary, ends, ended, failed } = seen;
  const change = { plan, complimentary, ends, nextCharge: asTold(seen.nextCharge, now), ended, failed };
  if (plan === 'free') {
    if (isPaid(known.plan) || (known.ended === 'paused' && ended === 'canceled'))
      add('ended', { ...change, reminded: undefined });
    return;
  }
  const until = ends === undefined ? Infinity : Date.parse(ends);
  const isSoon = until - now.getTime() <= REMINDER;
  const reminded = isSoon ? ends : undefined;
  if (complimentary && !known.complimentary) return add('complimentary', { ...change, reminded });
  if (known.plan === 'free' || !isSameDay(known.ends, ends))
    return add(ends === undefined ? 'kept' : 'cancelled', { ...change, reminded });
  if (isSoon && until > now.getTime() && !isSameDay(known.reminded, ends))
    return add('ending', { ...change, reminded });
  // Support has forgiven the payment that failed: nothing was paid, and nothing is due.
  if (known.failed && !failed && seen.nextCharge) add('kept', change);
}

type Charge = NonNullable<BillingState['nextCharge']>;

const isNear = ({ at }: Charge, now: Date): boolean => at * 1000 - now.getTime() <= ANNOUNCED_WITHIN;

/** The charge as its reader knows it after a mail that names it. */
const asTold = (charge: BillingState['nextCharge'], now: Date): BillingState['nextCharge'] =>
  charge && isNear(charge, now) ? { ...charge, announced: true } : charge;

const amountOf = ({ preview, listed = 0 }: Charge): number => preview?.amount ?? listed;

/** A charge that moves, or that is higher than the last one or than the user was mailed. */
function addTerms(known: BillingState, seen: BillingState, now: Date, add: Add): void {
  const [mailed, next] = [known.nextCharge, seen.nextCharge];
  if (!mailed || !next || !isPayer(known) || !isPayer(seen)) return;
  const moves =
    next.interval !== mailed.interval ||
    next.currency !== mailed.currency ||
    Math.abs(next.at - mailed.at) * 1000 > DAY;
  const isKnown = mailed.announced && amountOf(next) <= amountOf(mailed);
  const least = Math.min(
    amountOf(mailed),
    known.paid?.currency === next.currency ? known.paid.amount : Infinity,
  );
  if (moves || (!isKnown && isNear(next, now) && amountOf(next) > least)) {
    add('terms', { nextCharge: { ...next, announced: true } });
  }
}

// Mails name days: another hour of the same day is no change. Both are ISO 8601 in UTC.
const isSameDay = (one: string | undefined, other: string | undefined): boolean =>
  one?.slice(0, 10) === other?.slice(0, 10);

/** The time at which the user is to be reminded of the end of Plus. Undefined without an end. */
export const reminderAt = ({ plan, ends }: BillingState): Date | undefined =>
  plan === 'free' || ends === undefined ? undefined : new Date(Date.parse(ends) - REMINDER);
