import type { Context } from 'aws-lambda';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { type EventCursor, eventCursor } from '../adapters/dynamodb/event-cursor.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { poolUsers } from '../adapters/cognito/user-pool.ts';
import { type BillingHint, billingHint } from '../domain/stripe-event-subject.ts';
import { environment } from '../runtime/environment.ts';
import { followHint, type HintFollowing } from '../plans/handle-stripe-event.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { outOfTime } from '../runtime/time-budget.ts';

const AT_ONCE = 8;
const minutes = (count: number): number => count * 60_000;

// An event can be listed after a younger one. Ten minutes are far more than Stripe takes, and reading
// one twice does no harm.
const OVERLAP = minutes(10);
// Before there is a cursor: as long as Stripe itself keeps trying to deliver (three days, docs.stripe.com/webhooks).
const FIRST_LOOK = minutes(3 * 24 * 60);

/** One customer to look at, and when the first event about them that hasn't been followed was made. */
interface Lead {
  hint: BillingHint;
  /** Unix seconds. */
  since: number;
}

export interface CatchUpOutcome {
  reconciled: number;
  /** Whether time ran out: the next catch-up goes on where this one ended. */
  unfinished: boolean;
}

/**
 * Reads Stripe's event list since the last time and reconciles everybody it is about: what a lost webhook would
 * have done. Its cost follows events, not users. The cursor never moves past an event whose person wasn't reconciled; where
 * time runs out it moves up to there, because the oldest come first.
 */
export const catchUp =
  (keeping: HintFollowing & { cursor: EventCursor }, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false): Promise<CatchUpOutcome> => {
    const now = clock();
    const readUntil = await keeping.cursor.read();
    const since = new Date(readUntil ? readUntil.getTime() - OVERLAP : now.getTime() - FIRST_LOOK);

    const leads = await leadsSince(keeping, since);
    const oldestFirst = [...leads.values()].toSorted((a, b) => a.since - b.since);
    const left = new Set(oldestFirst);
    const { done, failures, outOfTime } = await concurrently(oldestFirst, {
      limit: AT_ONCE,
      work: async (lead) => {
        await followHint(keeping, lead.hint, now);
        left.delete(lead);
      },
      isOver,
    });
    console.info({ sweep: 'events', customers: leads.size, failures: failures.size, unfinished: outOfTime });
    const [oldestLeft] = left;
    // The overlap is taken off again at the next reading, and has to be added here for the cursor not to move back.
    const until = oldestLeft ? new Date(oldestLeft.since * 1000 + OVERLAP) : now;
    if (!readUntil || until > readUntil) await keeping.cursor.move(until < now ? until : now);
    if (failures.size > 0) {
      throw new Error(
        `${failures.size} of ${leads.size} customers are left for the next catch-up: ${String([...failures.values()][0])}`,
      );
    }
    return { reconciled: done, unfinished: outOfTime };
  };

/** Many events are about one customer, and each asks for the same look. */
async function leadsSince({ billing }: HintFollowing, since: Date): Promise<Map<string, Lead>> {
  const leads = new Map<string, Lead>();
  for await (const event of billing.eventsSince(since)) {
    const hint = billingHint(event);
    if (!hint) continue;
    const known = leads.get(hint.customerId);
    leads.set(hint.customerId, {
      hint: {
        ...hint,
        userId: hint.userId ?? known?.hint.userId,
        beforeRenewal: hint.beforeRenewal || (known?.hint.beforeRenewal ?? false),
      },
      since: Math.min(hint.created, known?.since ?? Infinity),
    });
  }
  return leads;
}

const settings = environment('writePlans', 'deletePlans', 'findAccounts', 'stripe');
const follow = catchUp({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  cursor: eventCursor(settings.PLANS_TABLE),
  users: poolUsers(settings.USER_POOL_ID),
});
export const handler = (_: unknown, context: Context): Promise<CatchUpOutcome> => follow(outOfTime(context));
