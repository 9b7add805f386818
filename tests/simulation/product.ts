import type { Accounts } from '../../functions/adapters/cognito/session-user.ts';
import type { Billing } from '../../functions/adapters/stripe/billing.ts';
import type { EventCursor } from '../../functions/adapters/dynamodb/event-cursor.ts';
import type { Mail } from '../../functions/adapters/ses.ts';
import type { PlansTable } from '../../functions/adapters/dynamodb/plans-table.ts';
import type { PoolUsers } from '../../functions/adapters/cognito/user-pool.ts';
import { cancelSubscription } from '../../functions/api/cancel-subscription.ts';
import { createCheckoutSession } from '../../functions/api/create-checkout-session.ts';
import { deleteAccount } from '../../functions/api/delete-account.ts';
import { readPlan } from '../../functions/api/plan.ts';
import { renewSubscription } from '../../functions/api/renew-subscription.ts';
import { readSessionStatus } from '../../functions/api/session-status.ts';
import type { HttpHandler } from '../../functions/runtime/route.ts';
import { catchUp } from '../../functions/schedules/event-catch-up.ts';
import { sweepExpired } from '../../functions/schedules/expiry-sweep.ts';
import { receiveEvent } from '../../functions/webhooks/stripe-webhook.ts';

export interface Neighbours {
  plans: PlansTable;
  billing: Billing;
  accounts: Accounts;
  mail: Mail;
  users: Pick<PoolUsers, 'has'>;
  cursor: EventCursor;
}

/** Whatever of the product has to do with money. */
export interface Product {
  checkout: HttpHandler;
  status: HttpHandler;
  cancel: HttpHandler;
  renew: HttpHandler;
  plan: HttpHandler;
  deletion: HttpHandler;
  webhook: HttpHandler;
  sweep: () => Promise<unknown>;
  catchUp: () => Promise<unknown>;
}

/** The handlers that are deployed. */
export function realProduct(neighbours: Neighbours): Product {
  return {
    checkout: createCheckoutSession({ ...neighbours, siteUrl: 'https://selfsame.example' }),
    status: readSessionStatus(neighbours),
    cancel: cancelSubscription(neighbours),
    renew: renewSubscription(neighbours),
    plan: readPlan(neighbours),
    deletion: deleteAccount(neighbours),
    webhook: receiveEvent(neighbours),
    sweep: () => sweepExpired(neighbours)(),
    catchUp: () => catchUp(neighbours)(),
  };
}
