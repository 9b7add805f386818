import { endpoint } from '../../schemas/routes/change-email.ts';
import { addressChanges, addresses, limits, tasks } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { refusalToMail } from '../accounts/refusal-to-mail.ts';
import { requestAddressChange } from '../accounts/request-address-change.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { stopped, waitingAddressOf } from '../domain/address-change.ts';
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

/** Asks for another address for the caller's account. Null takes the request back. */
export const changeEmail = (dependencies: Made<typeof adapters>) =>
  route(endpoint, dependencies, async ({ newEmail: to, again }, { user, row, now }) => {
    const drop = () =>
      updateAddressChange(dependencies.addressChanges, user.id, (change) => stopped(change, now));
    if (to === null) {
      await drop();
      return { waiting: null };
    }
    if (to === row?.address && row.mail_bounced_at !== undefined) {
      await proveAgain(dependencies, { id: user.id, email: to }, now);
      return { waiting: null };
    }
    requireRecentSignIn(user, now);
    const from = requireOwnAddress(await dependencies.pool.find(user.id));
    if (from === to) throw refusal('same-address');
    const refused =
      (await refusalToMail({ limits: dependencies.limits }, { purpose: 'change', of: user.id }, now)) ??
      (await refusalToMail(dependencies, { purpose: 'new-address', of: to, again }, now));
    if (refused) throw refusal(codes[refused]);
    const waiting = await requestAddressChange(
      dependencies,
      { id: user.id, username: user.id, from, to, byProvider: false },
      now,
    );
    return { waiting: waitingAddressOf(waiting) };
  });

/** Makes SES mail the account's own address again, with a link that ends the bounce. */
async function proveAgain(
  { limits: counters, mail, proofs, siteUrl }: Made<typeof adapters>,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<void> {
  const refused = await refusalToMail({ limits: counters }, { purpose: 'change', of: id }, now);
  if (refused) throw refusal(codes[refused]);
  await mail.unsuppress(email);
  const token = await proofs.create({ purpose: 'new-address', email, account: id }, now);
  if (!(await notify(mail, email, emailProofEmail({ siteUrl, token })))) throw refusal('mail-not-sent');
}

export const handler = withAdapters(endpoint, adapters, changeEmail);
