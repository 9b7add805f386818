import { randomUUID } from 'node:crypto';
import { endpoint } from '../../schemas/routes/change-email.ts';
import { addressChanges, addresses, limits, tasks } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { isTaken } from '../accounts/address-ownership.ts';
import { enqueueAddressChange } from '../accounts/make-address-change.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { refusalToMail } from '../accounts/refusal-to-mail.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { requested, stopped, waitingAddressOf } from '../domain/address-change.ts';
import { emailChangeRequestedEmail } from '../emails/email-change-requested.ts';
import { emailInUseEmail } from '../emails/email-in-use.ts';
import { emailProofEmail } from '../emails/email-proof.ts';
import { notify } from '../notices/notify.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route } from '../runtime/route.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

const codes = {
  spent: 'mails-spent',
  complained: 'marked-as-spam',
  undeliverable: 'undeliverable-address',
} as const;

const adapters = {
  ...notingAdapters,
  ...linkAdapters,
  addressChanges,
  addresses,
  limits,
  pool: userPool,
  tasks,
};
type Dependencies = Made<typeof adapters>;

/**
 * Asks for another address for the caller's account, in place of an earlier request. Both mailboxes get a
 * link: the new address proves itself, the old address approves or stops. Until then everything stays with
 * the old address. Null takes the request back.
 *
 * If another account has the new address, its owner is mailed instead, and the answer is the same.
 */
export const changeEmail = (dependencies: Dependencies) =>
  route(endpoint, dependencies, async ({ newEmail: to, again }, { user, profile, now }) => {
    const drop = () =>
      updateAddressChange(dependencies.addressChanges, user.id, (change) => stopped(change, now));
    if (to === null) {
      await drop();
      return { waiting: null };
    }
    requireRecentSignIn(user, now);
    const from = requireOwnAddress(profile);
    if (from === to) throw refusal('same-address');
    const refused =
      (await refusalToMail({ limits: dependencies.limits }, { purpose: 'change', of: user.id }, now)) ??
      (await refusalToMail(dependencies, { purpose: 'new-address', of: to, again }, now));
    if (refused) throw refusal(codes[refused]);
    const id = randomUUID();
    const change = await updateAddressChange(dependencies.addressChanges, user.id, (latest) =>
      requested(latest, { id, from, to }, now),
    );
    const waiting = change?.waiting;
    if (!waiting) throw refusal('busy');
    if (!(await mailBoth(dependencies, { from, to, account: user.id, change: id }, now))) {
      await drop();
      throw refusal('mail-not-sent');
    }
    await enqueueAddressChange(dependencies.tasks, user.id, now, new Date(waiting.due_at));
    return { waiting: waitingAddressOf(waiting) };
  });

interface Request {
  from: string;
  to: string;
  account: string;
  change: string;
}

/** The old mailbox comes first: without its mail, nothing is asked. */
async function mailBoth(dependencies: Dependencies, request: Request, now: Date): Promise<boolean> {
  const { proofs, mail, siteUrl } = dependencies;
  const { from, to, account, change } = request;
  const token = await proofs.create({ purpose: 'old-address', email: from, account, change }, now);
  if (!(await notify(mail, from, emailChangeRequestedEmail({ siteUrl, token, at: now })))) return false;
  if (await isTaken(dependencies, to, account)) return notify(mail, to, emailInUseEmail({ siteUrl }));
  const proof = await proofs.create({ purpose: 'new-address', email: to, account, change }, now);
  return notify(mail, to, emailProofEmail({ siteUrl, token: proof }));
}

export const handler = withAdapters(endpoint, adapters, changeEmail);
