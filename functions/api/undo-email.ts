import { setTimeout as wait } from 'node:timers/promises';
import type { AddressChange, UndoEmailResponse, UndoLink } from '../../schemas/rows/address-change.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/undo-email.ts';
import { addressAdapters } from '../accounts/address-adapters.ts';
import { readUndoToken } from '../accounts/address-secrets.ts';
import {
  type PropagatedUser,
  propagateAddress,
  type PropagationDependencies,
} from '../accounts/propagate-address.ts';
import { noteSessionsEnded } from '../accounts/end-sessions.ts';
import { removeWaysIn, takeBack } from '../accounts/take-back.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { endLease, enqueueDeletion } from '../accounts/waiting-deletion.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import type { Mail } from '../adapters/ses.ts';
import { type Account, hasPassword, type Identity } from '../domain/account-linking.ts';
import { isBarred, isBusy, linkBy, noChanges, undoFinished, undone } from '../domain/address-change.ts';
import { isWaiting } from '../domain/closing.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangeUndoneEmail } from '../emails/email-change-undone.ts';
import type { ReconcileDependencies } from '../plans/reconcile.ts';
import { resumeBilling } from '../plans/suspend-billing.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../notices/notify.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

// Another request's turn takes two or three seconds. API Gateway answers within 29 s.
const TRIES = 10;
const PAUSE = 1_000;

interface Dependencies extends PropagationDependencies, ReconcileDependencies {
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: Addresses;
  billing: PropagationDependencies['billing'] & ReconcileDependencies['billing'];
  pool: AccountPool;
  sessionEnds: Pick<SessionEnds, 'noteAll'>;
  mail: Mail;
}

interface Clock {
  now: () => Date;
  pause: (milliseconds: number) => Promise<unknown>;
}

const trigger = routeLabel(endpoint);

/**
 * Gives an account back to the holder of a link, who reads the mailbox of one of its addresses: an earlier
 * one, or its own after a provider was linked or a deletion requested. First locks out whoever did that: the
 * password, linked providers and all sessions are removed, and the account is disabled until it has its
 * address and a link for a new password is in the mailbox. Then calls off a deletion. Every step is safe to
 * repeat, and the link works until all steps are done.
 *
 * One request at a time has the turn. Others wait for its end, and answer the same if it did their work.
 *
 * If another account has proved the address since, the address can't be restored. The account stays disabled,
 * and its current address is no longer trusted.
 */
export const undoEmail = (
  dependencies: Dependencies,
  { now: clock, pause }: Clock = { now: () => new Date(), pause: wait },
) => {
  const { addressChanges } = dependencies;

  /**
   * Decides the undo, and waits for the turn. Undefined if another request has done the same meanwhile. The
   * decision doesn't wait: a change or the link to a later address that is under way yields to it.
   */
  const decide = async (id: string, hash: string, link: UndoLink): Promise<AddressChange | undefined> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      let isFree = false;
      let isDone = false;
      const change = await updateAddressChange(addressChanges, id, (latest) => {
        isDone = !linkBy(latest, hash, clock()) && latest.current === link.email && !latest.locked;
        if (isDone) return undefined;
        isFree = !isBusy(latest, clock());
        const isDecided = latest.locked === true && latest.earlier.at(-1)?.token_hash === link.token_hash;
        if (!isFree && isDecided) return undefined;
        const next = undone(latest, hash, clock());
        if (!next) throw refusal('undo-not-possible');
        return next;
      });
      if (isDone) return undefined;
      if (isFree) return change;
      await pause(PAUSE);
    }
    throw refusal('undo-under-way');
  };

  return route(endpoint, async ({ token }, { now }): Promise<UndoEmailResponse> => {
    const read = readUndoToken(token);
    if (!read) throw refusal('undo-not-possible');
    const { id, hash } = read;
    const known = (await addressChanges.read(id)) ?? noChanges(id);
    const link = linkBy(known, hash, now);
    const account = link && (await findOwn(dependencies, known));
    if (!account) throw refusal('undo-not-possible');
    const change = await decide(id, hash, link);
    if (!change) return { outcome: 'restored', deletionStopped: false, passwordMailed: hasPassword(account) };
    try {
      const answer = await undo(dependencies, { link, change, now });
      if (answer.outcome === 'restored') {
        await updateAddressChange(addressChanges, id, (latest) => {
          const next = undoFinished(latest, hash, now);
          if (!next) throw refusal('undo-under-way');
          return next;
        });
      }
      // After `locked` the link stays valid: it works once the other account is gone.
      log.info('address-change-undone', { user: id, outcome: answer.outcome });
      return answer;
    } finally {
      await endLease(addressChanges, id, change.leased_until, now);
    }
  });
};

/** Whether an undo or a deletion may have disabled the account. */
const isOurs = ({ locked, deletion }: AddressChange): boolean => locked === true || deletion !== undefined;

/** The account, unless support has disabled it: such an account stays disabled. */
async function findOwn(
  { addressChanges, pool }: Dependencies,
  known: AddressChange,
): Promise<Account | undefined> {
  const account = await pool.findBySub(known.id);
  if (!account || account.enabled || isOurs(known)) return account;
  // An undo or a deletion may have disabled the account since its item was read.
  const latest = await addressChanges.read(known.id);
  return latest && isOurs(latest) ? account : undefined;
}

interface Undo {
  link: UndoLink;
  change: AddressChange;
  now: Date;
}

async function undo(dependencies: Dependencies, { link, change, now }: Undo): Promise<UndoEmailResponse> {
  const { pool, sessionEnds: ends } = dependencies;
  const { id } = change;
  const [account] = await Promise.all([pool.findBySub(id), noteSessionsEnded(ends, id, now)]);
  if (!account) throw refusal('undo-not-possible');
  // An account whose address can be changed has no provider. Any linked provider came with a later address.
  const isTakenOff = (identity: Identity) => link.of === undefined || isBarred(change, identity);
  if (!hasPassword(account)) {
    await removeWaysIn(pool, account, isTakenOff);
    return { outcome: 'restored', deletionStopped: false, passwordMailed: false };
  }
  const { email } = link;
  if (!(await takeBack(dependencies, { account, email, isTakenOff }))) {
    return { outcome: 'locked', deletionStopped: false, passwordMailed: false };
  }
  const row = await dependencies.planTable.read(id);
  const deletionStopped = row !== undefined && isWaiting(row, now);
  if (deletionStopped) await stopDeletion(dependencies, row, now);
  await propagateUndo(dependencies, { id, customerId: row && customerIdOf(row) }, { link, change, now });
  return { outcome: 'restored', deletionStopped, passwordMailed: true };
}

/** Lets billing go on, and opens the row. */
async function stopDeletion(dependencies: Dependencies, row: UserPlan, now: Date): Promise<void> {
  const { id } = row;
  try {
    await resumeBilling(dependencies, row, trigger, now);
  } catch (error) {
    // The task resumes it, once the item has no deletion and no undo.
    log.error('billing-deferred', { work: 'deletion', customer: id, user: id }, error);
    await enqueueDeletion(dependencies, id, now);
  }
  await dependencies.planTable.reopen(id);
}

/** Repeated by every undo, since nothing records how far an earlier undo got. */
async function propagateUndo(
  dependencies: Dependencies,
  account: PropagatedUser,
  { link, change, now }: Undo,
): Promise<void> {
  const replaced = change.replaced ?? [];
  await propagateAddress(dependencies, account, { from: replaced, to: link.email }, now);
  const notice = emailChangeUndoneEmail({ at: now });
  await Promise.all(replaced.map((email) => notify(dependencies.mail, email, notice)));
}

export const handler = withEnvironment(endpoint, (environment) =>
  undoEmail({ ...addressAdapters(environment), sessionEnds: sessionEnds(environment.USER_PLANS_TABLE) }),
);
