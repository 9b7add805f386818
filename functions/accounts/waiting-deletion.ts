/*
 * A deletion that waits. While a change of address can be taken back, nothing may make that worthless.
 *
 * 1. `deletionRequested` decides, by the versioned write of the account's item in AddressChanges, whether
 *    the deletion waits. The same item decides changes of address and undos.
 * 2. While the deletion waits, `suspendAccount` keeps the account blocked and unbilled. An undo can take back
 *    everything that it does.
 * 3. The task `deletion` of `billing-tasks` was enqueued before. Every hour it holds the account again, and
 *    deletes it once the last link has expired.
 * 4. One request at a time changes the account: the one that has the turn (`leased_until`).
 */
import type { AddressChange } from '../../schemas/rows/address-change.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { isBusy, noChanges, leaseEnded, turnOf, written } from '../domain/address-change.ts';
import { closedUntil, closingUntil, isWaiting } from '../domain/closing.ts';
import {
  allMailed,
  deletionBegun,
  type EarlierMailbox,
  earlierMailboxes,
  linksMailed,
} from '../domain/waiting-deletion.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { accountDeletionEmail } from '../emails/account-deletion.ts';
import { enqueueTask, NOT_TRIED, TASK_INTERVAL, type TaskDependencies } from '../notices/enqueue-task.ts';
import type { ReconcileDependencies } from '../plans/reconcile.ts';
import { resumeBilling, suspendBilling } from '../plans/suspend-billing.ts';
import { notify } from '../notices/notify.ts';
import { newUndoToken } from './address-secrets.ts';
import { deleteClosedAccount, type DeletionDependencies } from './delete-closed-account.ts';
import { updateAddressChange } from './update-address-change.ts';

export interface WaitingDependencies extends DeletionDependencies, ReconcileDependencies {
  planTable: DeletionDependencies['planTable'] & ReconcileDependencies['planTable'];
  billing: ReconcileDependencies['billing'];
  pool: Pick<AccountPool, 'findBySub' | 'disable' | 'endSessions' | 'remove'>;
  addressChanges: AddressChangesTable;
  /** The site's origin. */
  siteUrl: string;
}

interface HeldAccount {
  id: string;
  username: string;
  /** The account's proved address. */
  email: string | undefined;
}

type Waiting = NonNullable<AddressChange['deletion']>;

export interface Held {
  /** Whether a subscription was running. */
  wasRunning: boolean;
  mailSent: boolean;
}

const taskOf = (id: string) => ({ work: 'deletion', customer_id: id, user_id: id }) as const;

/** Enqueues the task that carries out a deletion, before the deletion is decided. */
export async function enqueueDeletion(
  { tasks }: TaskDependencies,
  id: string,
  now: Date,
  due = new Date(now.getTime() + TASK_INTERVAL),
): Promise<void> {
  await tasks.enqueue({ ...taskOf(id), failure: NOT_TRIED }, now, due);
}

/**
 * Blocks an account that waits for its deletion: nobody can sign in, nothing is charged, and everything that
 * is stored stays. Mails all addresses that can take the deletion back, once. Only for the request that has
 * the turn. Safe to repeat. If Stripe refuses, the task tries again; `unsettled` is its error.
 */
export async function suspendAccount(
  dependencies: WaitingDependencies,
  account: HeldAccount,
  { requested_at, due_at }: Waiting,
  trigger: string,
  now: Date,
): Promise<Held & { unsettled?: unknown }> {
  const { planTable, pool } = dependencies;
  const { id, username } = account;
  await pool.disable(username);
  // The refresh tokens of a user who is enabled again would work again.
  await pool.endSessions(username);
  const row = await planTable.close(id, closedUntil(new Date(due_at)));
  const suspension = { since: new Date(requested_at), trigger };
  let wasRunning = row.stripe_customer_id !== undefined;
  let unsettled: unknown;
  try {
    wasRunning = await suspendBilling(dependencies, row, suspension, now);
  } catch (error) {
    unsettled = error;
    await enqueueTask(dependencies, taskOf(id), error, now);
  }
  const mailSent = await mailAboutDeletion(dependencies, account, now);
  return { wasRunning, mailSent, ...(unsettled !== undefined && { unsettled }) };
}

/** Resolves with whether all mails were sent, by this call or an earlier one. */
async function mailAboutDeletion(
  { addressChanges, mail, siteUrl }: WaitingDependencies,
  { id, email }: HeldAccount,
  now: Date,
): Promise<boolean> {
  const own = newUndoToken(id);
  let earlier: { mailbox: EarlierMailbox; token: string; hash: string }[] = [];
  const change = await updateAddressChange(addressChanges, id, (latest) => {
    earlier = earlierMailboxes(latest, email, now).map((mailbox) => ({ mailbox, ...newUndoToken(id) }));
    return linksMailed(
      latest,
      {
        earlier: new Map(earlier.map(({ mailbox, hash }) => [mailbox.email, hash])),
        own: email === undefined ? undefined : { email, token_hash: own.hash },
      },
      now,
    );
  });
  if (!change?.deletion) return true;
  const { requested_at, due_at } = change.deletion;
  const about = { siteUrl, at: new Date(requested_at), dueAt: new Date(due_at) };
  const sent = await Promise.all([
    ...earlier.map(({ mailbox, token }) =>
      notify(mail, mailbox.email, accountDeletionEmail({ ...about, token, earlier: mailbox })),
    ),
    ...(email === undefined
      ? []
      : [notify(mail, email, accountDeletionEmail({ ...about, token: own.token }))]),
  ]);
  if (!sent.every(Boolean)) return false;
  await updateAddressChange(addressChanges, id, (latest) => allMailed(latest, now));
  return true;
}

/** Ends the turn that a request has. A failure is left to the turn's own end. */
export async function endLease(
  changes: Pick<AddressChangesTable, 'read' | 'write'>,
  id: string,
  turn: string | undefined,
  now: Date,
): Promise<void> {
  if (turn === undefined) return;
  await updateAddressChange(changes, id, (latest) => leaseEnded(latest, turn, now)).catch(() => {});
}

/** Does something as the only request that changes the account, if no other has the turn. */
async function inTurn(
  { addressChanges }: Pick<WaitingDependencies, 'addressChanges'>,
  id: string,
  now: Date,
  work: (deletion: Waiting) => Promise<void>,
): Promise<void> {
  const change = await updateAddressChange(addressChanges, id, (latest) =>
    latest.deletion && !isBusy(latest, now) ? written({ ...latest, ...turnOf(latest, now) }, now) : undefined,
  );
  if (!change?.deletion) return;
  try {
    await work(change.deletion);
  } finally {
    await endLease(addressChanges, id, change.leased_until, now);
  }
}

/**
 * The task `deletion`: does what the account's item says. Holds the account while its deletion waits, deletes
 * it afterward, and lets its billing go on if the deletion was taken back. Resolves with the time of the next
 * step; undefined if there is none.
 */
export async function carryOutDeletion(
  dependencies: WaitingDependencies,
  id: string,
  trigger: string,
  now: Date,
): Promise<Date | undefined> {
  const { planTable, pool, addressChanges } = dependencies;
  const change = (await addressChanges.read(id)) ?? noChanges(id);
  if (!change.deletion) {
    const row = change.locked ? undefined : await planTable.read(id);
    if (!row) return undefined;
    await resumeBilling(dependencies, row, trigger, now);
    if (isWaiting(row, now)) await planTable.reopen(id);
    return undefined;
  }
  const due = new Date(change.deletion.due_at);
  if (due <= now) {
    await finishDeletion(dependencies, id, now);
    return undefined;
  }
  await inTurn(dependencies, id, now, async (deletion) => {
    const account = await pool.findBySub(id);
    if (!account) return;
    const email = account.emailVerified ? account.email : undefined;
    const held = await suspendAccount(
      dependencies,
      { id, username: account.username, email },
      deletion,
      trigger,
      now,
    );
    if (held.unsettled !== undefined) throw held.unsettled;
    if (!held.mailSent) throw new Error('Not everybody could be mailed.');
  });
  return new Date(Math.min(due.getTime(), now.getTime() + TASK_INTERVAL));
}

/** Deletes an account whose deletion has waited long enough. Safe to repeat. */
async function finishDeletion(dependencies: WaitingDependencies, id: string, now: Date): Promise<void> {
  const { planTable, pool, addressChanges } = dependencies;
  const begun = await updateAddressChange(addressChanges, id, (latest) => deletionBegun(latest, now));
  if (!begun?.deletion) return;
  const account = await pool.findBySub(id);
  await deleteClosedAccount(
    dependencies,
    {
      row: await planTable.close(id, closingUntil(now)),
      username: account?.username ?? id,
      email: account?.emailVerified ? account.email : undefined,
      since: new Date(begun.deletion.requested_at),
      deleteUser: async () => account !== undefined && pool.remove(account.username),
      notice: (subscriptionEnded) => accountDeletedEmail({ subscriptionEnded, at: now }),
    },
    now,
  );
  // Support may have deleted the user.
  await addressChanges.remove(id);
}
