import type { AccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import type { SessionUser } from '../../../functions/adapters/cognito/session-user.ts';
import type { BillingMails } from '../../../functions/adapters/dynamodb/user-plans/billing-mails.ts';
import type { Billing } from '../../../functions/adapters/stripe/stripe-billing.ts';
import type { BillingTasks } from '../../../functions/adapters/dynamodb/billing-tasks.ts';
import type { AgreementCursor, EventCursor } from '../../../functions/adapters/dynamodb/cursors.ts';
import type { PageOfRows } from '../../../functions/adapters/dynamodb/user-plans/paid-rows.ts';
import type { Mail } from '../../../functions/adapters/ses.ts';
import type { PlansTable } from '../../../functions/adapters/dynamodb/user-plans/plans-table.ts';
import type { UserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { handler as readBilling } from '../../../functions/api/billing.ts';
import { handler as cancelSubscription } from '../../../functions/api/cancel-subscription.ts';
import { handler as createCheckoutSession } from '../../../functions/api/create-checkout-session.ts';
import { handler as deleteAccount } from '../../../functions/api/delete-account.ts';
import { handler as getPlan } from '../../../functions/api/plan.ts';
import { handler as renewSubscription } from '../../../functions/api/renew-subscription.ts';
import { handler as readSessionStatus } from '../../../functions/api/session-status.ts';
import type { HttpHandler } from '../../../functions/runtime/route.ts';
import { runBillingTasks } from '../../../functions/schedules/billing-tasks.ts';
import { comparePlans } from '../../../functions/schedules/plan-agreement.ts';
import { catchUp } from '../../../functions/schedules/event-catch-up.ts';
import { sweepNow } from '../../fixtures/fakes/memory-queue.ts';
import { handler as receiveEvent } from '../../../functions/webhooks/stripe-webhook.ts';
import type { accountParts } from '../../fixtures/fakes/account-parts.ts';

/** The adapters that the handlers depend on. */
export interface Dependencies extends Omit<
  ReturnType<typeof accountParts>,
  'pool' | 'mail' | 'billingMails'
> {
  billingMails: BillingMails;
  planTable: PlansTable;
  billing: Billing;
  sessionUser: SessionUser;
  mail: Mail;
  userPool: UserPool;
  pool: AccountPool;
  cursor: EventCursor;
  tasks: BillingTasks;
  paidRows: (after?: string) => AsyncIterable<PageOfRows>;
  passes: AgreementCursor;
}

/** The part of the product that affects plans and payments. */
export interface SystemUnderTest {
  checkout: HttpHandler;
  sessionStatus: HttpHandler;
  cancel: HttpHandler;
  renew: HttpHandler;
  plan: HttpHandler;
  billing: HttpHandler;
  deleteAccount: HttpHandler;
  webhook: HttpHandler;
  signUp: (userId: string, address: string, now: Date) => Promise<unknown>;
  sweep: () => Promise<unknown>;
  catchUp: () => Promise<unknown>;
  billingTasks: () => Promise<unknown>;
  planAgreement: () => Promise<unknown>;
}

/** The deployed handlers. */
export function deployedSystem(dependencies: Dependencies): SystemUnderTest {
  return {
    checkout: createCheckoutSession.with(dependencies),
    sessionStatus: readSessionStatus.with(dependencies),
    cancel: cancelSubscription.with(dependencies),
    renew: renewSubscription.with(dependencies),
    plan: getPlan.with(dependencies),
    billing: readBilling.with(dependencies),
    deleteAccount: deleteAccount.with(dependencies),
    webhook: receiveEvent.with(dependencies),
    // As the post-confirmation trigger does.
    signUp: (userId, address, now) => dependencies.planTable.open(userId, now, { address }),
    sweep: () => sweepNow(dependencies),
    catchUp: () => catchUp(dependencies)(),
    billingTasks: () => runBillingTasks(dependencies)(),
    planAgreement: () => comparePlans(dependencies)(undefined, true),
  };
}
