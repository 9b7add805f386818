import type { AddressChangeResponse } from '../../schemas/shapes/new-address.ts';
import { endpoint } from '../../schemas/routes/address-change.ts';
import { addressChangeAdapters } from '../accounts/account-adapters.ts';
import { bounces, proofs } from '../adapters/tables.ts';
import { enqueueAddressChange, makeAddressChange } from '../accounts/make-address-change.ts';
import { readProof, type ReadProof } from '../accounts/read-proof.ts';
import { takeBack } from '../accounts/take-back.ts';
import { takeOffProviders } from '../accounts/take-off-providers.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { hasPassword, holdsAddress } from '../domain/account-linking.ts';
import { agreed, isDue, stopped } from '../domain/address-change.ts';
import { resetEmail } from '../emails/reset.ts';
import { TASK_INTERVAL } from '../tasks/enqueue-task.ts';
import { notify } from '../notices/notify.ts';
import { resetLink } from '../notices/reset-link.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import type { Made } from '../runtime/with-environment.ts';

const adapters = { ...addressChangeAdapters, bounces, proofs };
type Dependencies = Made<typeof adapters>;

type Link = NonNullable<ReturnType<typeof linkOf>>;

const changed = { state: 'changed', changesAt: null, isProved: true } as const;
const reachable = { ...changed, state: 'reachable' } as const;

/** Does what the holders of the links of a change of address decide. The links work any number of times. */
export const handler = route(endpoint, adapters, async ({ token, action }, { now }, dependencies) => {
  const purpose = action === 'prove' ? 'new-address' : 'old-address';
  const read = await readProof(dependencies, token, purpose, now);
  if (action === 'prove' && read?.account && read.proof.change === undefined) {
    if (await dependencies.bounces.end(read.account.sub, read.proof.email)) return reachable;
  }
  const link = linkOf(read);
  if (!link) throw refusal(endpoint, 'link-invalid');
  if (action === 'stop') return stop(dependencies, link, now);
  return agree(dependencies, link, action === 'prove' ? 'proved' : 'approved', now);
});

async function agree(
  dependencies: Dependencies,
  { account, change, email }: Link,
  by: 'proved' | 'approved',
  now: Date,
): Promise<AddressChangeResponse> {
  const id = account.sub;
  await updateAddressChange(dependencies.addressChanges, id, (latest) => agreed(latest, change, by, now));
  const waiting = (await dependencies.addressChanges.read(id))?.waiting;
  if (waiting?.id === change) {
    // In case this request stops halfway.
    if (isDue(waiting, now))
      await enqueueAddressChange(dependencies.tasks, id, now, new Date(now.getTime() + TASK_INTERVAL));
    const outcome = await makeAddressChange(dependencies, id, now);
    if (outcome === 'taken') throw refusal(endpoint, 'address-taken');
    if (outcome === 'changed') return changed;
    if (outcome === 'waiting') {
      return { state: 'waiting', changesAt: waiting.due_at, isProved: waiting.proved === true };
    }
  }
  // Pressed again after the change?
  const latest = await dependencies.pool.find(account.username);
  if (!latest || holdsAddress(latest, email) !== (by === 'proved')) throw refusal(endpoint, 'link-invalid');
  return changed;
}

/** Stops any waiting change, also a later request of the same user, and takes back everything older. */
async function stop(
  dependencies: Dependencies,
  { account, email }: Link,
  now: Date,
): Promise<AddressChangeResponse> {
  const { sub: id, username } = account;
  if (!holdsAddress(account, email)) throw refusal(endpoint, 'link-invalid');
  await updateAddressChange(dependencies.addressChanges, id, (latest) => {
    if (latest.waiting?.begun) throw refusal(endpoint, 'busy');
    return stopped(latest, now, true);
  });
  await takeOffProviders(dependencies, account, email, now);
  const at = await takeBack(dependencies, { id, username });
  if (hasPassword(account)) {
    const url = await resetLink(dependencies, { email, username }, at);
    await notify(dependencies.mail, email, resetEmail({ url }));
  }
  return { state: 'stopped', changesAt: null, isProved: false };
}

const linkOf = ({ proof, account }: Partial<ReadProof> = {}) =>
  proof?.change !== undefined && account ? { email: proof.email, account, change: proof.change } : undefined;
