import { stripeBilling } from '../adapters/billing.ts';
import { type EventCursor, eventCursor } from '../adapters/event-cursor.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { type BillingHint, billingHint } from '../domain/billing-event.ts';
import { environment } from '../environment.ts';
import { followHint, type PlanKeeping } from '../reconcile.ts';
import { concurrently } from './concurrently.ts';

const AT_ONCE = 8;
const minutes = (count: number): number => count * 60_000;

// An event can be listed after a younger one. Ten minutes are far more than Stripe takes, and reading
// one twice does no harm.
const OVERLAP = minutes(10);
// Before there is a cursor: as long as Stripe itself keeps trying to deliver (three days, docs.stripe.com/webhooks).
const FIRST_LOOK = minutes(3 * 24 * 60);

/**
 * Reads Stripe's event list since the last time and reconciles everybody it is about: what a lost webhook would
 * have done. Its cost follows events, not users. The cursor moves only when everybody was reconciled.
 */
export const catchUp =
  (keeping: PlanKeeping & { cursor: EventCursor }, clock: () => Date = () => new Date()) =>
  async (): Promise<{ reconciled: number }> => {
    const now = clock();
    const readUntil = await keeping.cursor.read();
    const since = new Date(readUntil ? readUntil.getTime() - OVERLAP : now.getTime() - FIRST_LOOK);

    // Many events are about one customer, and each asks for the same look.
    const hints = new Map<string, BillingHint>();
    for await (const event of keeping.billing.eventsSince(since)) {
      const hint = billingHint(event);
      if (hint)
        hints.set(hint.customerId, { ...hint, userId: hint.userId ?? hints.get(hint.customerId)?.userId });
    }
    const failures = await concurrently(hints.values(), AT_ONCE, (hint) => followHint(keeping, hint, now));
    console.info({ sweep: 'events', customers: hints.size, failures: failures.length });
    if (failures.length > 0) {
      throw new Error(
        `${failures.length} of ${hints.size} customers are left for the next catch-up: ${String(failures[0]?.error)}`,
      );
    }
    await keeping.cursor.move(now);
    return { reconciled: hints.size };
  };

const settings = environment('writePlans', 'stripe');
export const handler = catchUp({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  cursor: eventCursor(settings.PLANS_TABLE),
});
