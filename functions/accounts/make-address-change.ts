import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { WaitingChange } from '../../schemas/rows/address-change.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { Uses } from '../adapters/adapters.ts';
import { holdsAddress } from '../domain/account-linking.ts';
import { begun, ended, isDue, waitingOf } from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { emailChangedEmail } from '../emails/email-changed.ts';
import { emailNotChangedEmail } from '../emails/email-not-changed.ts';
import { NOT_TRIED } from '../tasks/enqueue-task.ts';
import { notify } from '../notices/notify.ts';
import { readCounted } from '../runtime/read-counted.ts';
import { claimAddress, claimProvedAddress, type OwnershipDependencies, TRIES } from './address-ownership.ts';
import { propagateAddress, type PropagationDependencies } from './propagate-address.ts';
import { takeBack, type TakeBackDependencies } from './take-back.ts';
import { takeOffProviders } from './take-off-providers.ts';
import { updateAddressChange } from './update-address-change.ts';

export type AddressChangeDependencies = OwnershipDependencies &
  PropagationDependencies &
  TakeBackDependencies &
  Uses<'planTable' | 'mail' | 'siteUrl'> & { pool: AccountPool };

/** Makes `billing-tasks` look at an account's waiting change at `due`, and no longer at an earlier date. */
export const enqueueAddressChange = (tasks: Uses<'tasks'>['tasks'], id: string, now: Date, due: Date) =>
  tasks.restart({ work: 'address-change', customer_id: id, user_id: id, failure: NOT_TRIED }, now, due);

/**
 * Gives an account the address that it waits for, if nothing is missing. Safe to repeat, and to do twice at
 * once: after a failure, `billing-tasks` does it again.
 *
 * 0. give the change up if the account has taken back what is older than now;
 * 1. note that the change has begun: from here on it can't be stopped;
 * 2. claim the address, set it in the pool, and claim it again: another account that has proved it wins;
 * 3. write the address to the row, release the earlier one, move the waitlist entry, tell Stripe; note that
 *    the change is made;
 * 4. take off the providers whose own address isn't the new one, and then end every session;
 * 5. mail both mailboxes.
 *
 * `waiting`: something is missing, or another request is making the change. `taken`: another account has the
 * address, and the change is given up.
 */
export async function makeAddressChange(
  dependencies: AddressChangeDependencies,
  id: string,
  now: Date,
): Promise<'changed' | 'taken' | 'waiting' | 'none'> {
  const { addressChanges, planTable, pool, mail, siteUrl } = dependencies;
  const [known, { row, moment }] = await Promise.all([addressChanges.read(id), readCounted(planTable, id)]);
  if (!known?.waiting) return 'none';
  if (!known.waiting.begun && !waitingOf(known, moment)) {
    await endChange(dependencies, id, known.waiting, now);
    return 'none';
  }
  const account = await pool.findBySub(id);
  const change = known.waiting.begun
    ? known
    : await updateAddressChange(addressChanges, id, (latest) => begun(latest, now), known);
  const waiting = change?.waiting;
  if (!waiting) return 'waiting';
  const { from, to } = waiting;
  const username = account?.username ?? id;
  const outcome = account ? await assign(dependencies, username, waiting) : 'gone';
  let removed: ProviderKey[] = [];
  if (account && outcome === 'changed') {
    await planTable.writeAddress(id, to, from);
    const customerId = row && customerIdOf(row);
    await propagateAddress(dependencies, { id, username, customerId }, { from, to }, now);
    removed = await takeOffProviders(dependencies, account, to, now);
    if (removed.length > 0) await takeBack(dependencies, { id, username });
  }
  const isEndedHere = await endChange(dependencies, id, waiting, now);
  if (!isEndedHere || outcome === 'gone') return outcome === 'gone' ? 'none' : outcome;
  const notice =
    outcome === 'changed'
      ? emailChangedEmail({ siteUrl, at: now, removed })
      : emailNotChangedEmail({ siteUrl });
  await Promise.all([from, to].map((email) => notify(mail, email, notice)));
  return outcome;
}

/**
 * The task `address-change`. Resolves with the time of its next run, if one is left. By then a change is
 * given up whose new address was never proved.
 */
export async function carryOutAddressChange(dependencies: AddressChangeDependencies, id: string, now: Date) {
  if ((await makeAddressChange(dependencies, id, now)) !== 'waiting') return undefined;
  const waiting = (await dependencies.addressChanges.read(id))?.waiting;
  if (!waiting) return undefined;
  const due = new Date(waiting.due_at);
  if (due > now) return due;
  if (!waiting.begun && !isDue(waiting, now)) await endChange(dependencies, id, waiting, now);
  return undefined;
}

/** Ends what waits, unless another change waits by now. Undefined if so, or if it has ended already. */
const endChange = (
  { addressChanges }: Uses<'addressChanges'>,
  id: string,
  waiting: WaitingChange,
  now: Date,
) =>
  updateAddressChange(addressChanges, id, (latest) =>
    latest.waiting?.id === waiting.id ? ended(latest, now) : undefined,
  );

/** `gone`: the account was deleted. Throws if Cognito's answer doesn't tell which address the pool has. */
async function assign(
  dependencies: AddressChangeDependencies,
  username: string,
  { from, to }: WaitingChange,
): Promise<'changed' | 'taken' | 'gone'> {
  const { pool } = dependencies;
  let failure: unknown = new Error('Other accounts had the address at every try.');
  for (let tries = 0; tries < TRIES; tries += 1) {
    const account = await pool.find(username);
    if (!account) return 'gone';
    if (!(await claimProvedAddress(dependencies, to, username))) return 'taken';
    try {
      if (!(await pool.setAddress(username, to))) continue;
    } catch (error) {
      failure = error;
      // The address may have been set even though the answer was lost.
      const after = await pool.find(username);
      if (!after || !holdsAddress(after, to)) continue;
    }
    // A provider's account that proved the address at the same time can take it over until the pool has it.
    if ((await claimAddress(dependencies, to, username)).kind === 'claimed') return 'changed';
    await pool.setAddress(username, from);
    return 'taken';
  }
  throw failure;
}
