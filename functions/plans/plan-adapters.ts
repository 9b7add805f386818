import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';

/** The variables of the adapters that reconcile a plan. */
export type PlanEnvironment = Parameters<typeof stripeBilling>[0] & {
  USER_PLANS_TABLE: string;
  STRIPE_WORK_TABLE: string;
};

/** The adapters that reconcile a plan: `ReconcileDependencies`. */
export const planAdapters = (environment: PlanEnvironment) => ({
  planTable: plansTable(environment.USER_PLANS_TABLE),
  billing: stripeBilling(environment),
  tasks: billingTasks(environment.STRIPE_WORK_TABLE),
});
