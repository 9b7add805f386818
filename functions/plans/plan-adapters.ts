import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { planTable, tasks } from '../adapters/tables.ts';

/** The adapters that reconcile a plan: `ReconcileDependencies`. */
export const planAdapters = { planTable, billing: stripeBilling, tasks };
