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
  route(endpoint, dependencies, async ({ newEmail: to, again }, { user, now }) => {
    const drop = () =>
      updateAddressChange(dependencies.addressChanges, user.id, (change) => stopped(change, now));
    if (to === null) {
      await drop();
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

export const handler = withAdapters(endpoint, adapters, changeEmail);
