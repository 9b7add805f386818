import { endpoint } from '../../schemas/routes/change-email.ts';
import { addressChanges, addresses, limits, tasks } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { refusalToMail } from '../accounts/refusal-to-mail.ts';
import { requestAddressChange } from '../accounts/request-address-change.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { hasPassword } from '../domain/account-linking.ts';
import { stopped, waitingAddressOf } from '../domain/address-change.ts';
import { emailProofEmail } from '../emails/email-proof.ts';
import { notify } from '../notices/notify.ts';
import { refusal } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route } from '../runtime/route.ts';
import type { Made } from '../runtime/with-environment.ts';

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
export const handler = route(
  endpoint,
  adapters,
  async ({ newEmail: to, again }, { user, row, now }, dependencies) => {
    if (to === null) {
      await updateAddressChange(dependencies.addressChanges, user.id, (change) => stopped(change, now));
      return { waiting: null };
    }
    if (to === row?.address && row.mail_bounced_at !== undefined) {
      await proveAgain(dependencies, { id: user.id, email: to }, now);
      return { waiting: null };
    }
    requireRecentSignIn(user, now);
    const account = await dependencies.pool.find(user.id);
    const from = account?.email?.toLowerCase();
    // "Amazon Cognito updates mapped attributes when users sign in to your application through an IdP"
    // (reference of WriteAttributes).
    if (from === undefined || !account || !hasPassword(account) || account.identities.length > 0) {
      throw refusal(endpoint, 'address-from-provider');
    }
    if (from === to) throw refusal(endpoint, 'same-address');
    const refused =
      (await refusalToMail({ limits: dependencies.limits }, { purpose: 'change', of: user.id }, now)) ??
      (await refusalToMail(dependencies, { purpose: 'new-address', of: to, again }, now));
    if (refused) throw refusal(endpoint, codes[refused]);
    const waiting = await requestAddressChange(
      dependencies,
      { id: user.id, username: user.id, from, to, byProvider: false },
      now,
    );
    return { waiting: waitingAddressOf(waiting) };
  },
);

/** Makes SES mail the account's own address again, with a link that ends the bounce. */
async function proveAgain(
  { limits: counters, mail, proofs, siteUrl }: Made<typeof adapters>,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<void> {
  const refused = await refusalToMail({ limits: counters }, { purpose: 'change', of: id }, now);
  if (refused) throw refusal(endpoint, codes[refused]);
  await mail.unsuppress(email);
  const token = await proofs.create({ purpose: 'new-address', email, account: id }, now);
  if (!(await notify(mail, email, emailProofEmail({ siteUrl, token }))))
    throw refusal(endpoint, 'mail-not-sent');
}
