import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type Stripe from 'stripe';
import { billingTasks, tasksOf, type BillingTasks } from '../../functions/adapters/dynamodb/billing-tasks.ts';
import { dynamodb } from '../../functions/adapters/dynamodb/client.ts';
import { plansTable, type PlansTable } from '../../functions/adapters/dynamodb/plans-table.ts';
import { once } from '../../functions/adapters/once.ts';
import { isSuppressed } from '../../functions/adapters/ses.ts';
import type { Billing } from '../../functions/adapters/stripe/billing.ts';
import { connect } from '../../functions/adapters/stripe/connection.ts';
import { billingOver } from '../../functions/adapters/stripe/stripe-billing.ts';
import type { BillingTask } from '../../schemas/billing-task.ts';
import { WaitlistEntry } from '../../schemas/waitlist.ts';
import { type Accounts, poolAccounts } from './accounts.ts';
import { type AuditTrail, auditTrail } from './audit.ts';
import type { Place } from './place.ts';

/**
 * `stopped`: the address is on our account's list at SES, which accepts mail to it and sends none. `unknown`:
 * SES doesn't say.
 */
export type MailState = 'sent' | 'stopped' | 'unknown';

/** What the commands work with: the product's own adapters, and what only support asks for. */
export interface Tools {
  /** The time at the place, when the command began. */
  now: Date;
  /** Part of a file's name. */
  place: Place['name'];
  accounts: Accounts;
  plans: PlansTable;
  billing: Billing;
  tasks: BillingTasks;
  /** All tasks of a customer, also those that were given up. */
  tasksOf: (customer: string) => Promise<BillingTask[]>;
  stripe: () => Promise<Stripe>;
  /** What becomes of mail to an address. */
  mailTo: (email: string) => Promise<MailState>;
  waitlist: () => AsyncIterable<WaitlistEntry[]>;
  audit: AuditTrail;
}

/** Import this file after `placeOf`: its clients read their variables when they are created. */
export function openTools(place: Place): Tools {
  const { now, name, tables, poolId, clientId, stripeApi, stripeSecretId } = place;
  const connection = once(() => connect({ STRIPE_API: stripeApi, STRIPE_SECRET_ID: stripeSecretId }));
  return {
    now,
    place: name,
    accounts: poolAccounts({ poolId, clientId }),
    plans: plansTable(tables.userPlans),
    billing: billingOver(connection),
    tasks: billingTasks(tables.stripeWork),
    tasksOf: (customer) => tasksOf(tables.stripeWork, customer),
    stripe: async () => (await connection()).stripe,
    mailTo: (email) => mailTo(place, email),
    waitlist: () => waitlistPages(tables.waitlist),
    audit: auditTrail(tables.audit),
  };
}

async function mailTo({ sendsThroughSes }: Place, email: string): Promise<MailState> {
  // Cognito sends mail by itself then, and knows nothing of our list.
  if (!sendsThroughSes) return 'sent';
  try {
    // A question may take a second, and the first one from here also connects.
    const isStopped = await isSuppressed(email).catch(() => isSuppressed(email));
    return isStopped ? 'stopped' : 'sent';
  } catch {
    return 'unknown';
  }
}

async function* waitlistPages(table: string): AsyncGenerator<WaitlistEntry[]> {
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName: table })) {
    yield Items.map((item) => WaitlistEntry.parse(item));
  }
}
