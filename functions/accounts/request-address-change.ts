import { randomUUID } from 'node:crypto';
import type { Uses } from '../adapters/adapters.ts';
import { requested, stopped } from '../domain/address-change.ts';
import { emailChangeRequestedEmail } from '../emails/email-change-requested.ts';
import { emailInUseEmail } from '../emails/email-in-use.ts';
import { emailProofEmail } from '../emails/email-proof.ts';
import { notify } from '../notices/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { isTaken, type OwnershipDependencies } from './address-ownership.ts';
import { enqueueAddressChange } from './make-address-change.ts';
import { updateAddressChange } from './update-address-change.ts';

export type RequestDependencies = OwnershipDependencies &
  Uses<'addressChanges' | 'proofs' | 'tasks' | 'mail' | 'siteUrl'>;

interface Request {
  /** The account's `sub`, and its user name. */
  id: string;
  username: string;
  from: string;
  to: string;
  /** Whether a sign-in with a provider has brought the address, and no page. */
  byProvider: boolean;
}

/**
 * Asks for another address for an account, in place of an earlier request. Both mailboxes get a link: the new
 * address proves itself, the old address approves or stops. If another account has the new address, its owner
 * is mailed instead, and the result is the same. Refuses as `busy` while a change is being made, for a page's
 * request as `address-from-provider` while a provider is being linked, and as `mail-not-sent`.
 */
export async function requestAddressChange(dependencies: RequestDependencies, request: Request, now: Date) {
  const { addressChanges, tasks } = dependencies;
  const { id: account, byProvider, from, to } = request;
  const change = { id: randomUUID(), from, to };
  const written = await updateAddressChange(addressChanges, account, (latest) => {
    // Nothing is linked while a change waits: linking writes the account down before.
    if (latest.linked && !byProvider) throw new Refusal('address-from-provider');
    return requested(latest, change, now);
  });
  const waiting = written?.waiting;
  if (!waiting) throw new Refusal('busy');
  if (!(await mailBoth(dependencies, { ...request, change: change.id }, now))) {
    await updateAddressChange(addressChanges, account, (latest) => stopped(latest, now));
    throw new Refusal('mail-not-sent');
  }
  await enqueueAddressChange(tasks, account, now, new Date(waiting.due_at));
  return waiting;
}

/** The old mailbox comes first: without its mail, nothing is asked. */
async function mailBoth(
  dependencies: RequestDependencies,
  { id: account, username, from, to, byProvider, change }: Request & { change: string },
  now: Date,
): Promise<boolean> {
  const { proofs, mail, siteUrl } = dependencies;
  const token = await proofs.create({ purpose: 'old-address', email: from, account, change }, now);
  const asked = emailChangeRequestedEmail({ siteUrl, token, at: now, byProvider });
  if (!(await notify(mail, from, asked))) return false;
  if (await isTaken(dependencies, to, username)) return notify(mail, to, emailInUseEmail({ siteUrl }));
  const proof = await proofs.create({ purpose: 'new-address', email: to, account, change }, now);
  return notify(mail, to, emailProofEmail({ siteUrl, token: proof }));
}
