import { otherWayIn } from '../../schemas/trigger-refusals.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { BillingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import type { WaitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Mail } from '../adapters/ses.ts';
import { type Account, hasPassword, providersOf } from '../domain/account-linking.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { isClosing } from '../domain/closing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { providerAddressChangedEmail } from '../emails/provider-address-changed.ts';
import { NOT_TRIED } from '../notices/enqueue-task.ts';
import { notify } from '../notices/notify.ts';
import { attempt } from '../runtime/attempt.ts';
import { log } from '../runtime/log.ts';
import { claimProvedAddress, type OwnershipDependencies } from './address-ownership.ts';
import { holderOf } from './holder-of.ts';
import { leaveAddress } from './propagate-address.ts';

export interface FollowDependencies extends OwnershipDependencies {
  pool: Pick<AccountPool, 'find' | 'remove' | 'setAddress'>;
  planTable: Pick<PlansTable, 'read' | 'writeAddress'>;
  tasks: Pick<BillingTasks, 'enqueue'>;
  waitlist: Pick<WaitlistTable, 'move'>;
  mail: Pick<Mail, 'send'>;
}

/** A sign-in with a provider, after Cognito has written the provider's address over the account's. */
export interface ProviderSignIn {
  /** The account's `sub`. */
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
}

/**
 * Follows an address that was changed at the provider. Resolves with the sentence of a refusal, or undefined.
 *
 * - An address that the provider hasn't verified proves nothing: the account gets its own address back.
 * - An address that another account has proved is refused, and the account gets its own address back.
 * - Any other address is claimed. The earlier mailbox gets a mail, Stripe and the waitlist get the address.
 *
 * The row is written after the mail, so that the next sign-in repeats what failed before.
 */
export async function followProviderAddress(
  dependencies: FollowDependencies,
  { id, username, email, emailVerified }: ProviderSignIn,
  now: Date,
): Promise<string | undefined> {
  const { mail, planTable, pool, tasks } = dependencies;
  const row = await planTable.read(id);
  // A deletion removes the address.
  if (row && isClosing(row, now)) return undefined;
  const from = row?.address;
  const to = asciiLowerCase(email);
  if (!emailVerified) {
    if (from !== undefined) await pool.setAddress(username, from);
    return undefined;
  }
  if (from === to) return undefined;
  if (!(await claimProvedAddress(dependencies, email, username))) {
    // The refusal stands, whatever the pool does.
    if (from !== undefined) {
      await attempt('address-not-propagated', { user: id, step: 'pool' }, () =>
        pool.setAddress(username, from),
      );
    }
    return otherWayIn(wayIn(await holderOf(dependencies, email)));
  }
  if (!row) return undefined;
  if (from === undefined) {
    await planTable.writeAddress(id, to);
    return undefined;
  }
  const customer = customerIdOf(row);
  if (customer !== undefined) {
    const task = { work: 'address', customer_id: customer, user_id: id, failure: NOT_TRIED } as const;
    await tasks.enqueue(task, now, now);
  }
  // Repeated at the next sign-in.
  if (!(await notify(mail, from, providerAddressChangedEmail({ at: now })))) return undefined;
  if (!(await planTable.writeAddress(id, to, from))) return undefined;
  await leaveAddress(dependencies, { id, username }, { from, to });
  log.info('address-followed', { user: id });
  return undefined;
}

const wayIn = (account: Account | undefined): Parameters<typeof otherWayIn>[0] =>
  account && !hasPassword(account) ? (providersOf(account)[0] ?? 'password') : 'password';
