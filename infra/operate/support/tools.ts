import type Stripe from 'stripe';
import {
  addressChangesTable,
  type AddressChangesTable,
} from '../../../functions/adapters/dynamodb/address-changes-table.ts';
import {
  appSessionsTable,
  type AppSessionsTable,
} from '../../../functions/adapters/dynamodb/app-sessions-table.ts';
import {
  billingTasks,
  tasksOf,
  type BillingTasks,
} from '../../../functions/adapters/dynamodb/billing-tasks.ts';
import { plansTable, type PlansTable } from '../../../functions/adapters/dynamodb/user-plans/plans-table.ts';
import { waitlistTable, type WaitlistTable } from '../../../functions/adapters/dynamodb/waitlist-table.ts';
import { once } from '../../../functions/adapters/once.ts';
import { isSuppressed } from '../../../functions/adapters/ses.ts';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import { connect } from '../../../functions/adapters/stripe/connection.ts';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import { type Accounts, poolAccounts } from './accounts.ts';
import { type AuditTrail, auditTrail } from './audit.ts';
import type { Target } from './target.ts';

/**
 * `stopped`: the address is on the account's SES suppression list. SES accepts mail to it and sends none.
 * `unknown`: SES doesn't say.
 */
export type MailState = 'sent' | 'stopped' | 'unknown';

/** The tools of the commands: the product's adapters, and the queries that only support needs. */
export interface Tools {
  /** The time at the target, when the command began. */
  now: Date;
  /** The target's name, which is part of a file's name. */
  target: Target['name'];
  accounts: Accounts;
  planTable: PlansTable;
  billing: Billing;
  tasks: BillingTasks;
  /** All tasks of a customer, including those that were given up. */
  tasksOf: (customer: string) => Promise<BillingTask[]>;
  stripe: () => Promise<Stripe>;
  /** The state of mail to an address. */
  mailTo: (email: string) => Promise<MailState>;
  waitlist: Pick<WaitlistTable, 'entryOf'>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
  appSessions: Pick<AppSessionsTable, 'of'>;
  audit: AuditTrail;
}

/**
 * The product's adapters at a target. Import this file after `targetOf`: clients read their variables when
 * they are created.
 */
export function openTools(target: Target): Tools {
  const { now, name, stage, tables, poolId, stripeApi, stripeSecretId } = target;
  const connection = once(() => connect({ STRIPE_API: stripeApi, STRIPE_SECRET_ID: stripeSecretId }));
  return {
    now,
    target: name,
    accounts: poolAccounts(poolId),
    planTable: plansTable(tables.UserPlans),
    billing: billingOver(connection, stage),
    tasks: billingTasks(tables.StripeWork),
    tasksOf: (customer) => tasksOf(tables.StripeWork, customer),
    stripe: async () => (await connection()).stripe,
    mailTo: (email) => mailTo(target, email),
    waitlist: waitlistTable(tables.Waitlist),
    addressChanges: addressChangesTable(tables.AddressChanges),
    appSessions: appSessionsTable(tables.AppSessions),
    audit: auditTrail(tables.SupportAudit),
  };
}

async function mailTo({ sendsThroughSes }: Target, email: string): Promise<MailState> {
  // Cognito then sends mail itself, and doesn't know our list.
  if (!sendsThroughSes) return 'sent';
  try {
    // A request may take a second, and the first request also has to connect.
    const isStopped = await isSuppressed(email).catch(() => isSuppressed(email));
    return isStopped ? 'stopped' : 'sent';
  } catch {
    return 'unknown';
  }
}
