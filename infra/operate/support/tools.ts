import { addressChangesTable } from '../../../functions/adapters/dynamodb/address-changes-table.ts';
import { appSessionsTable } from '../../../functions/adapters/dynamodb/app-sessions-table.ts';
import { billingTasks, tasksOf } from '../../../functions/adapters/dynamodb/billing-tasks.ts';
import { plansTable } from '../../../functions/adapters/dynamodb/user-plans/plans-table.ts';
import { waitlistTable } from '../../../functions/adapters/dynamodb/waitlist-table.ts';
import { once } from '../../../functions/adapters/once.ts';
import { isSuppressed } from '../../../functions/adapters/ses.ts';
import { connect } from '../../../functions/adapters/stripe/connection.ts';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import { poolAccounts } from './accounts.ts';
import { auditTrail } from './audit.ts';
import type { Target } from './target.ts';

/**
 * `stopped`: the address is on the account's SES suppression list. SES accepts mail to it and sends none.
 * `unknown`: SES doesn't say.
 */
export type MailState = 'sent' | 'stopped' | 'unknown';

/** The tools of the commands: the product's adapters, and the queries that only support needs. */
export type Tools = ReturnType<typeof openTools>;

/**
 * The product's adapters at a target. Import this file after `targetOf`: clients read their variables when
 * they are created.
 */
export function openTools(target: Target) {
  const { now, name, stage, tables, poolId, stripeApi, stripeSecretId } = target;
  const connection = once(() => connect({ STRIPE_API: stripeApi, STRIPE_SECRET_ID: stripeSecretId }));
  return {
    /** The time at the target, when the command began. */
    now,
    /** The target's name, which is part of a file's name. */
    target: name,
    accounts: poolAccounts(poolId),
    planTable: plansTable(tables.UserPlans),
    billing: billingOver(connection, stage),
    tasks: billingTasks(tables.StripeWork),
    /** All tasks of a customer, including those that were given up. */
    tasksOf: (customer: string) => tasksOf(tables.StripeWork, customer),
    stripe: async () => (await connection()).stripe,
    mailTo: (email: string) => mailTo(target, email),
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
