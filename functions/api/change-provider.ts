import { endpoint } from '../../schemas/routes/change-provider.ts';
import { accountPool } from '../adapters/cognito/account-pool.ts';
import { takeBackTables } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { takeBack } from '../accounts/take-back.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { notify } from '../notices/notify.ts';
import { recoveryLink } from '../notices/reset-link.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { hasPassword, isOf } from '../domain/account-linking.ts';
import { providerAllowed, providersDisconnected } from '../domain/address-change.ts';
import { providerDisconnectedEmail } from '../emails/provider-disconnected.ts';
import { attempt } from '../runtime/attempt.ts';
import { Refusal, refusal } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route } from '../runtime/route.ts';

/**
 * Disconnects a provider: its accounts are written down first, so that no sign-in that is under way links
 * them again, and then unlinked. All sessions end, since Cognito doesn't tell which came by the provider. A
 * way in always stays: the provider that made the account, or its password. Safe to repeat.
 *
 * Connecting only allows the provider again. Its next sign-in with the account's address links it.
 */
export const handler = route(
  endpoint,
  { ...notingAdapters, ...linkAdapters, ...takeBackTables, pool: accountPool },
  async ({ provider, connected }, { user, account: { address: email }, noted, now }, dependencies) => {
    requireRecentSignIn(user, now);
    if (connected) {
      await updateAddressChange(dependencies.addressChanges, user.id, (change) =>
        providerAllowed(change, provider, now),
      );
      return { sessionsEnded: false };
    }
    const account = await dependencies.pool.findBySub(user.id);
    if (!account) throw new Refusal('not-signed-in');
    const identities = account.identities.filter((identity) => identity.provider === provider);
    // The address is the way to a new password.
    if (email === undefined || identities.some((identity) => isOf(identity, account))) {
      throw refusal(endpoint, 'provider-stays');
    }
    await updateAddressChange(dependencies.addressChanges, user.id, (change) =>
      providersDisconnected(change, identities, now),
    );
    for (const identity of identities) await dependencies.pool.unlink(identity);
    const { username } = account;
    const taken = await attempt('sessions-not-ended', { user: user.id }, () =>
      takeBack(dependencies, { id: user.id, username }, noted.own),
    );
    const sessionsEnded = taken !== undefined;
    if (identities.length === 0) return { sessionsEnded };
    const about = { hasPassword: hasPassword(account), at: taken ?? now };
    const url = await recoveryLink(dependencies, { username, email, ...about }, about.at);
    await notify(dependencies.mail, email, providerDisconnectedEmail({ provider, url, ...about }));
    return { sessionsEnded };
  },
);
