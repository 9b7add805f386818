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
 * The mails that take a user from what was told to what is known, in order. The last `after` has nothing left
 * to tell. Compares states and no events, so lost, repeated and late events change nothing; changes that
 * cancelled each other out before anybody was told are not told. `maybeNotified`: what the user was told
 * instead if mails whose sending was cut off have arrived. Their text names the plan that follows, so no
 * second mail is needed.
 */
export function planNotices(
  told: BillingState,
  seen: BillingState,
  now: Date,
  maybeNotified: readonly BillingState[] = [],
): PlanNotice[] {
  const news: PlanNotice[] = [];
  let known = told;
  let maybe = maybeNotified;
  const tell = (kind: PlanNoticeKind, change: Partial<BillingState>): void => {
    const after = { ...known, ...change };
    maybe = maybe.map((state) => ({ ...state, ...change }));
    news.push({ kind, before: known, after, maybeAfter: maybe });
    known = after;
  };
  tellPayment({ told, maybeNotified }, seen, tell);
  tellYear(known, seen, tell);
  if (seen.failed && seen.failed.invoice !== known.failed?.invoice) tell('failed', { failed: seen.failed });
  const planBegins = news.length;
  for (const state of [known, ...maybe]) if (news.length === planBegins) tellPlan(state, seen, now, tell);
  if (seen.refunded && seen.refunded.boughtAt > (known.refunded?.boughtAt ?? 0)) {
    tell('refunded', { refunded: seen.refunded });
  }
  return news;
}

type Tell = (kind: PlanNoticeKind, change: Partial<BillingState>) => void;

const isPayer = ({ plan, complimentary }: BillingState): boolean => isPaid(plan) && !complimentary;

function tellPayment(
  { told, maybeNotified }: { told: BillingState; maybeNotified: readonly BillingState[] },
  { paid, nextCharge }: BillingState,
  tell: Tell,
): void {
  if (!paid || paid.at <= (told.paid?.at ?? 0)) return;
  // Nothing was charged: a voucher has paid the renewal.
  if (paid.amount === 0 && !paid.isFirst) return;
  const begins = paid.isFirst || ![told, ...maybeNotified].every(isPayer);
  const kind = paid.isFirst
    ? 'begun'
    : begins || paid.invoice === told.failed?.invoice
      ? 'arrived'
      : 'renewed';
  tell(kind, {
    plan: paid.plan,
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
    if (isPaid(known.plan) || (known.ended === 'paused' && ended === 'canceled'))
      tell('ended', { ...change, failed: undefined, reminded: undefined });
    return;
  }
  const until = ends === undefined ? Infinity : Date.parse(ends);
  const isSoon = until - now.getTime() <= REMINDER;
  const reminded = isSoon ? ends : undefined;
  if (complimentary && !known.complimentary) return tell('complimentary', { ...change, reminded });
  const isBack = known.plan === 'free';
  // The mails about a deletion tell of the end that it sets.
  if (endsByDeletion && !isBack) return;
  if (isBack || !isSameDay(known.ends, ends))
    return tell(ends === undefined || endsByDeletion ? 'kept' : 'cancelled', { ...change, reminded });
  if (isSoon && until > now.getTime() && !isSameDay(known.reminded, ends))
    tell('ending', { ...change, reminded });
}

// Mails name days: another hour of the same day is no news. Both are ISO 8601 in UTC.
const isSameDay = (one: string | undefined, other: string | undefined): boolean =>
  one?.slice(0, 10) === other?.slice(0, 10);

/** The time at which the user is to be reminded of the end of Plus. Undefined without an end. */
export const reminderAt = ({ plan, ends, endsByDeletion }: BillingState): Date | undefined =>
  plan === 'free' || ends === undefined || endsByDeletion ? undefined : new Date(Date.parse(ends) - REMINDER);
