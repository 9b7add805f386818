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

/** Milliseconds before the end of Plus at which a reminder is due. */
const REMINDER = 3 * 86_400_000;

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
  addPayment({ notified, maybeNotified }, seen, add);
  addYear(known, seen, add);
  if (seen.failed && seen.failed.invoice !== known.failed?.invoice) add('failed', { failed: seen.failed });
  const planBegins = notices.length;
  for (const state of [known, ...maybe]) if (notices.length === planBegins) addPlan(state, seen, now, add);
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
  add: Add,
): void {
  if (!paid || paid.at <= (notified.paid?.at ?? 0)) return;
  // Nothing was charged: a voucher has paid the renewal.
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
    nextCharge,
    failed: undefined,
    ended: undefined,
    ...(begins && { ends: undefined, reminded: undefined }),
  });
}

function addYear(notified: BillingState, { paid }: BillingState, add: Add): void {
  if (paid && paid.at === notified.paid?.at && paid.years > notified.paid.years) add('year', { paid });
}

function addPlan(known: BillingState, seen: BillingState, now: Date, add: Add): void {
  const { plan, complimentary, ends, nextCharge, ended } = seen;
  const change = { plan, complimentary, ends, nextCharge, ended };
  if (plan === 'free') {
    if (isPaid(known.plan) || (known.ended === 'paused' && ended === 'canceled'))
      add('ended', { ...change, failed: undefined, reminded: undefined });
    return;
  }
  const until = ends === undefined ? Infinity : Date.parse(ends);
  const isSoon = until - now.getTime() <= REMINDER;
  const reminded = isSoon ? ends : undefined;
  if (complimentary && !known.complimentary) return add('complimentary', { ...change, reminded });
  if (known.plan === 'free' || !isSameDay(known.ends, ends))
    return add(ends === undefined ? 'kept' : 'cancelled', { ...change, reminded });
  if (isSoon && until > now.getTime() && !isSameDay(known.reminded, ends))
    add('ending', { ...change, reminded });
}

// Mails name days: another hour of the same day is no change. Both are ISO 8601 in UTC.
const isSameDay = (one: string | undefined, other: string | undefined): boolean =>
  one?.slice(0, 10) === other?.slice(0, 10);

/** The time at which the user is to be reminded of the end of Plus. Undefined without an end. */
export const reminderAt = ({ plan, ends }: BillingState): Date | undefined =>
  plan === 'free' || ends === undefined ? undefined : new Date(Date.parse(ends) - REMINDER);
