import type { AddressChangeResponse } from '../../schemas/shapes/new-address.ts';
import { endpoint } from '../../schemas/routes/address-change.ts';
import type { Proof } from '../../schemas/rows/proof.ts';
import { addressChangeAdapters } from '../accounts/address-adapters.ts';
import { noteSessionsEnded } from '../accounts/end-sessions.ts';
import {
  type AddressChangeDependencies,
  enqueueAddressChange,
  makeAddressChange,
} from '../accounts/make-address-change.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { BillingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { type AppSessionsTable, appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { type Proofs, proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { holdsAddress } from '../domain/account-linking.ts';
import { agreed, isDue, stopped } from '../domain/address-change.ts';
import { resetEmail } from '../emails/reset.ts';
import { TASK_INTERVAL } from '../notices/enqueue-task.ts';
import { notify } from '../notices/notify.ts';
import { resetLink } from '../notices/reset-link.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends AddressChangeDependencies {
  pool: AddressChangeDependencies['pool'] & Pick<AccountPool, 'endSessions'>;
  proofs: Pick<Proofs, 'create' | 'read'>;
  sessionEnds: Pick<SessionEnds, 'noteAll'>;
  appSessions: Pick<AppSessionsTable, 'removeAll'>;
  tasks: AddressChangeDependencies['tasks'] & Pick<BillingTasks, 'again'>;
}

/** A link of a change of address. */
interface Link {
  email: string;
  account: string;
  change: string;
}

const changed = { state: 'changed', changesAt: null, isProved: true } as const;

/**
 * Does what the holders of the links in the mails about a change of address decide. The links work any number
 * of times, since what they do can be done once.
 */
export const addressChange = (dependencies: Dependencies) => {
  const { addressChanges, pool, proofs, tasks } = dependencies;

  const agree = async (link: Link, by: 'proved' | 'approved', now: Date): Promise<AddressChangeResponse> => {
    const { account: id, change, email } = link;
    await updateAddressChange(addressChanges, id, (latest) => agreed(latest, change, by, now));
    const waiting = (await addressChanges.read(id))?.waiting;
    if (waiting?.id === change) {
      // In case this request stops halfway.
      if (isDue(waiting, now))
        await enqueueAddressChange(tasks, id, now, new Date(now.getTime() + TASK_INTERVAL));
      const outcome = await makeAddressChange(dependencies, id, now);
      if (outcome === 'taken') throw refusal('address-taken');
      if (outcome === 'changed') return changed;
      if (outcome === 'waiting') {
        return { state: 'waiting', changesAt: waiting.due_at, isProved: waiting.proved === true };
      }
    }
    // Pressed again after the change?
    const account = await pool.find(id);
    if (!account || holdsAddress(account, email) !== (by === 'proved')) throw refusal('link-invalid');
    return changed;
  };

  /** Whatever waits is stopped, also a later request: whoever asked may have asked again. */
  const stop = async ({ account: id, email }: Link, now: Date): Promise<AddressChangeResponse> => {
    const account = await pool.find(id);
    if (!account || !holdsAddress(account, email)) throw refusal('link-invalid');
    await updateAddressChange(addressChanges, id, (latest) => {
      if (latest.waiting?.begun) throw refusal('busy');
      return stopped(latest, now);
    });
    const { username } = account;
    await Promise.all([
      pool.endSessions(username),
      noteSessionsEnded(dependencies.sessionEnds, id, now),
      dependencies.appSessions.removeAll(id),
    ]);
    const url = await resetLink(dependencies, { email, username }, now);
    await notify(dependencies.mail, email, resetEmail({ url }));
    return { state: 'stopped', changesAt: null, isProved: false };
  };

  return route(endpoint, async ({ token, action }, { now }) => {
    const purpose = action === 'prove' ? 'new-address' : 'old-address';
    const link = linkOf(await proofs.read(token, [purpose], now));
    if (!link) throw refusal('link-invalid');
    if (action === 'stop') return stop(link, now);
    return agree(link, action === 'prove' ? 'proved' : 'approved', now);
  });
};

const linkOf = (proof: Proof | undefined): Link | undefined =>
  proof?.account !== undefined && proof.change !== undefined
    ? { email: proof.email, account: proof.account, change: proof.change }
    : undefined;

export const handler = withEnvironment(endpoint, (environment) =>
  addressChange({
    ...addressChangeAdapters(environment),
    proofs: proofsTable(environment.PROOFS_TABLE, environment.PROOFS_SECRET_ID),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
  }),
);
