import type { Uses } from '../adapters/adapters.ts';
import { stopped } from '../domain/address-change.ts';
import { attempt } from '../runtime/attempt.ts';
import { updateAddressChange } from './update-address-change.ts';

export type TakeBackDependencies = Uses<'moments' | 'pool' | 'addressChanges' | 'appSessions'>;

/**
 * Takes back everything that is older than now: sessions, those of apps too, mailed links, and a requested
 * change of address. One write does that: each is compared with the row's moment when it is used. The rest is
 * tidied after it, and a failure there is only logged.
 *
 * Call it after the act that it belongs to, so that a session from in between ends too. `keeps`: the id of
 * the browser whose next sign-in isn't mailed. Resolves with the moment, for what is made afterward.
 */
export async function takeBack(
  { moments, pool, addressChanges, appSessions }: TakeBackDependencies,
  { id, username }: { id: string; username: string },
  keeps?: string,
): Promise<Date> {
  const at = new Date();
  await moments.takeBack(id, at);
  const tidy = (step: string, work: () => Promise<unknown>) =>
    attempt('sessions-not-tidied', { user: id, step }, work);
  await Promise.all([
    tidy('pool', () => pool.endSessions(username)),
    tidy('sessions', () => appSessions.removeAll(id, keeps)),
    tidy('change', () => updateAddressChange(addressChanges, id, (change) => stopped(change, at))),
  ]);
  return at;
}
