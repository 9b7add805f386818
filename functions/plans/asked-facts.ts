import type { Billing } from '../adapters/stripe/stripe-billing.ts';
import type { StandingFacts } from '../domain/standing.ts';
import { isCharged, isDrafted, type Money, type Subscription } from '../domain/subscription.ts';

/** Asks Stripe what it takes next for each subscription, and why the payment that is due has failed. */
export async function askedFacts(
  billing: Pick<Billing, 'nextChargeOf' | 'failureCauseOf'>,
  active: Subscription,
  subscriptions: readonly Subscription[],
): Promise<StandingFacts> {
  const [charges, cause] = await Promise.all([
    Promise.all(
      subscriptions
        // Another one of the user's own is a duplicate, which is about to be refunded.
        .filter((each) => each.id === active.id || each.userId === undefined)
        .filter((each) => isCharged(each) && !isDrafted(each))
        .map(async (each) => [each.id, await billing.nextChargeOf(each)] as const),
    ),
    active.state.kind === 'past-due' && active.dueInvoice
      ? billing.failureCauseOf(active.dueInvoice.id)
      : undefined,
  ]);
  const next = new Map(charges.flatMap(([id, money]): [string, Money][] => (money ? [[id, money]] : [])));
  return { next, cause };
}
