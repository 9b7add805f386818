import type { Notified } from '../../schemas/rows/notified.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Charge, Standing } from '../../schemas/shapes/standing.ts';
import { notifiedIn, type PlanFacts } from './plan-facts.ts';
import { chargesIn, endIn, givesPlan, isComplimentaryIn, isPlanPaused } from './standing.ts';
import { isoFromUnix } from './unix-time.ts';

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

export interface PlanNotice {
  kind: PlanNoticeKind;
  /** The knowledge of its reader before it. */
  before: Notified;
  /** The knowledge of its reader once it is sent. */
  after: Notified;
  /** The same for each reader that `maybeNotified` names. */
  maybeAfter: readonly Notified[];
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

export function dueNotices(row: UserPlan, facts: PlanFacts, now: Date): PlanNotice[] {
  const { notified, maybeNotified } = notifiedIn(row);
  return planNotices(notified, facts, now, maybeNotified);
}

/**
 * The mails that take a user from what was mailed to what is so, in order. Compares standings and no events:
 * lost, repeated and late events change nothing. `maybeNotified`: what the user knows instead if mails whose
 * sending was cut off have arrived. Their text names the plan that follows, so no second mail is needed.
 */
export function planNotices(
  notified: Notified,
  facts: PlanFacts,
  now: Date,
  maybeNotified: readonly Notified[] = [],
): PlanNotice[] {
  const { standing, paid, refunded } = facts;
  const notices: PlanNotice[] = [];
  let known = notified;
  let maybe = maybeNotified;
  const add: Add = (kind, change) => {
    const after = { ...known, ...change };
    maybe = maybe.map((state) => ({ ...state, ...change }));
    notices.push({ kind, before: known, after, maybeAfter: maybe });
    known = after;
  };
  addPayment([notified, ...maybeNotified], facts, now, add);
  if (paid && paid.at === known.paid?.at && paid.years > known.paid.years) add('year', { paid });
  const planBegins = notices.length;
  for (const state of [known, ...maybe])
    if (notices.length === planBegins) addPlan(state, standing, now, add);
  if (standing.kind === 'failed' && !isSameFailure(known.standing, standing)) add('failed', { standing });
  addTerms(known, standing, now, add);
  if (standing.kind === 'purchase-failed' && !isSamePurchase(known.standing, standing)) {
    add('purchase-failed', { standing });
  }
  if (refunded && refunded.at > (known.refunded?.at ?? 0)) add('refunded', { refunded });
  return notices;
}

type Add = (kind: PlanNoticeKind, change: Partial<Notified>) => void;

const isSameFailure = (known: Standing, { paysUntil }: Extract<Standing, { kind: 'failed' }>): boolean =>
  known.kind === 'failed' && known.paysUntil === paysUntil;

const isSamePurchase = (known: Standing, { on }: Extract<Standing, { kind: 'purchase-failed' }>): boolean =>
  known.kind === 'purchase-failed' && known.on === on;

const isPayer = (standing: Standing): boolean => givesPlan(standing) && !isComplimentaryIn(standing);

function addPayment(
  [notified, ...maybeNotified]: readonly [Notified, ...Notified[]],
  { standing, paid }: PlanFacts,
  now: Date,
  add: Add,
): void {
  if (!paid || paid.at <= (notified.paid?.at ?? 0)) return;
  const begins = paid.isFirst || ![notified, ...maybeNotified].every((state) => isPayer(state.standing));
  const kind = paid.isFirst ? 'begun' : begins || notified.standing.kind === 'failed' ? 'arrived' : 'renewed';
  const until = begins ? undefined : endIn(notified.standing);
  // Another end, a failure and a complimentary plan have mails of their own.
  const isAll = isPayer(standing) && standing.kind !== 'failed' && isSameDay(endIn(standing), until);
  add(kind, {
    ...(isAll ? asKnown(standing, now) : { standing: paidPlan(paid, until), announced: undefined }),
    // The year is a notice of its own.
    paid: { ...paid, years: paid.isFirst ? 0 : Math.min(paid.years, notified.paid?.years ?? 0) },
  });
}

/** The standing of a reader who knows a payment, and of the plan's end what was mailed before. */
const paidPlan = ({ plan, at }: NonNullable<PlanFacts['paid']>, until: string | undefined): Standing => ({
  kind: 'renews',
  plan,
  on: isoFromUnix(at),
  until: until ?? null,
  charges: [],
});

function addPlan({ standing: known, reminded: last }: Notified, standing: Standing, now: Date, add: Add) {
  if (!givesPlan(standing)) {
    const isOver = standing.kind === 'free' || standing.kind === 'lost';
    if (!givesPlan(known) && !(isPlanPaused(known) && isOver)) return;
    // A purchase that failed has a mail of its own.
    const after = standing.kind === 'purchase-failed' ? ({ kind: 'free', endedAt: null } as const) : standing;
    return add('ended', { standing: after, announced: undefined, reminded: undefined });
  }
  const end = endIn(standing);
  const until = end === undefined ? Infinity : Date.parse(end);
  const isSoon = until - now.getTime() <= REMINDER;
  const change = {
    ...(standing.kind === 'failed' && !isSameFailure(known, standing)
      ? { standing: beforeFailure(standing), announced: undefined }
      : asKnown(standing, now)),
    reminded: isSoon ? end : undefined,
  };
  if (isComplimentaryIn(standing) && !isComplimentaryIn(known)) return add('complimentary', change);
  if (!givesPlan(known) || !isSameDay(endIn(known), end)) {
    return add(end === undefined ? 'kept' : 'cancelled', change);
  }
  if (isSoon && until > now.getTime() && !isSameDay(last, end)) return add('ending', change);
  // Support has forgiven the payment that failed, or arranged that it ends nothing.
  if (known.kind === 'failed' && arranged.has(standing.kind)) add('kept', change);
}

const arranged: ReadonlySet<Standing['kind']> = new Set(['renews', 'paused', 'invoiced']);

/** The standing of a reader who knows plan and end, and not the failure, which has a mail of its own. */
const beforeFailure = ({
  plan,
  paysUntil: on,
  endsAt: until,
  charges,
}: Extract<Standing, { kind: 'failed' }>): Standing => ({ kind: 'renews', plan, on, until, charges });

const isNear = ({ on }: Charge, now: Date): boolean => Date.parse(on) - now.getTime() <= ANNOUNCED_WITHIN;

/** The standing as its reader knows it after a mail that names the charges. */
const asKnown = (standing: Standing, now: Date): Pick<Notified, 'standing' | 'announced'> => ({
  standing,
  announced: chargesIn(standing).some((charge) => isNear(charge, now)) || undefined,
});

const amountOf = ({ money, price }: Charge): number => money?.amount ?? price?.amount ?? 0;
const currencyOf = ({ money, price }: Charge): string | undefined => (money ?? price)?.currency;

/** Mails about a charge that moves, or that is higher than the last one or than the user was mailed. */
function addTerms(known: Notified, standing: Standing, now: Date, add: Add): void {
  const mailed = chargesIn(known.standing);
  if (standing.kind !== 'renews' || !isPayer(known.standing) || mailed.length === 0) return;
  const running = new Set(standing.charges.map(({ subscription }) => subscription));
  // A subscription that has taken another's place is compared with it.
  const replaced = mailed.find(({ subscription }) => !running.has(subscription));
  if (standing.charges.some((next) => isNews(next, known, replaced, now)))
    add('terms', asKnown(standing, now));
}

function isNews(
  next: Charge,
  { standing, paid, announced }: Notified,
  replaced: Charge | undefined,
  now: Date,
): boolean {
  const known = chargesIn(standing).find(({ subscription }) => subscription === next.subscription);
  const mailed = known ?? replaced;
  // Support has made another subscription.
  if (!mailed) return true;
  if (next.interval !== mailed.interval || currencyOf(next) !== currencyOf(mailed)) return true;
  // A renewal that cost nothing has no receipt, and the charge after it is no change.
  const isToCome = Date.parse(mailed.on) > now.getTime();
  if (isToCome && Math.abs(Date.parse(next.on) - Date.parse(mailed.on)) > DAY) return true;
  const amount = isSamePrice(next, mailed)
    ? amountOf({ ...next, money: next.money ?? mailed.money })
    : amountOf(next);
  const isKnown = announced && isToCome && amount <= amountOf(mailed);
  const last = paid?.currency === currencyOf(next) ? paid?.amount : undefined;
  const least = isToCome ? Math.min(amountOf(mailed), last ?? Infinity) : (last ?? amountOf(mailed));
  return !isKnown && isNear(next, now) && amount > least;
}

/** Whether the amount that Stripe named before is as good as the next one. */
const isSamePrice = (one: Charge, other: Charge): boolean =>
  one.on === other.on && one.price?.amount === other.price?.amount && currencyOf(one) === currencyOf(other);

// Mails name days: another hour of the same day is no change. Both are ISO 8601 in UTC.
const isSameDay = (one: string | undefined, other: string | undefined): boolean =>
  one?.slice(0, 10) === other?.slice(0, 10);

/** The time at which the user is to be reminded of the end of a plan. Undefined without an end. */
export const reminderAt = ({ plan_expires_at: end }: Pick<UserPlan, 'plan_expires_at'>): Date | undefined =>
  end === undefined ? undefined : new Date(Date.parse(end) - REMINDER);
