import type { PoolUsers } from '../adapters/cognito/user-pool.ts';
import type { BillingHint } from '../domain/stripe-event-subject.ts';
import { closingUntil } from '../domain/closing.ts';
import { endBilling, endCustomer } from './end-billing.ts';
import { billingCustomer, type PlanKeeping, reconcile } from './reconcile.ts';

export interface HintFollowing extends PlanKeeping {
  /** Who is there to be billed. */
  users: Pick<PoolUsers, 'has'>;
}

/**
 * Reconciles whomever a Stripe event is about; nobody where the customer isn't one of ours. Before each renewal the pool is
 * asked too, once a subscriber and month: an access token is enough to delete its user at Cognito itself, round our own
 * route, and nothing else would ever tell that nobody is left who could cancel.
 */
export async function followHint(keeping: HintFollowing, hint: BillingHint, now: Date): Promise<void> {
  if (hint.beforeRenewal) return beforeRenewal(keeping, hint, now);
  const userId = hint.userId ?? (await keeping.billing.userOf(hint.customerId));
  if (userId) await reconcile(keeping, userId, now);
}

async function beforeRenewal(
  { users, ...keeping }: HintFollowing,
  { customerId, userId: named }: BillingHint,
  now: Date,
): Promise<void> {
  // What was bought for one person can be billed to another: here it counts whose customer it is.
  const owner = await keeping.billing.userOf(customerId);
  const userId = owner ?? named;
  if (!userId) return;
  if (await users.has(userId)) {
    await reconcile(keeping, userId, now);
    return;
  }
  const { plans, billing } = keeping;
  // Closed first, as where an account is deleted by our own route: from here on it takes on nothing more.
  const row = await plans.close(userId, closingUntil(now));
  await endBilling(billing, row);
  if (owner !== undefined && customerId !== billingCustomer(row)) await endCustomer(billing, customerId, row);
  await plans.remove(userId);
  console.info({ message: 'The billing of an account that is gone was ended.', user: userId });
}
