import { endpoint } from '../../schemas/routes/mail-link.ts';
import { addresses, browsers, limits } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { browserId, sentBrowserToken } from '../accounts/browser-cookie.ts';
import { holderOf } from '../accounts/address-ownership.ts';
import { refusalToMail } from '../accounts/refusal-to-mail.ts';
import { type Account, hasPassword, isUnconfirmed, providersOf } from '../domain/account-linking.ts';
import { endContractEmail } from '../emails/end-contract.ts';
import type { Notice } from '../emails/layout.ts';
import { resetEmail } from '../emails/reset.ts';
import { signInWithProviderEmail } from '../emails/sign-in-with-provider.ts';
import { notify } from '../notices/notify.ts';
import { resetLink } from '../notices/reset-link.ts';
import { attempt } from '../runtime/attempt.ts';
import { route } from '../runtime/route.ts';
import type { Made } from '../runtime/with-environment.ts';

const adapters = { ...linkAdapters, addresses, pool: userPool, limits, browsers };
type Dependencies = Made<typeof adapters>;

/**
 * Mails the owner of an account a link that chooses a password or ends the contract. The answer is the same
 * for every address, and tells nobody who has an account. Mails are counted for the address, or for a browser
 * in which the owner has signed in before.
 */
export const handler = route(
  endpoint,
  adapters,
  async ({ email, purpose, again }, { now, cookies }, dependencies) => {
    const answer = { received: true as const };
    const account = await holderOf(dependencies, email);
    const compose = account && composerOf(dependencies, account, { email, purpose }, now);
    if (!account || !compose) return answer;
    await attempt('link-not-made', {}, async () => {
      const counters = { limits: dependencies.limits };
      const counted = isUnconfirmed(account, email)
        ? ({ purpose: 'unconfirmed-reset', of: email } as const)
        : { purpose, of: (await ownBrowser(dependencies, account, cookies.sent)) ?? email };
      if (await refusalToMail(counters, { ...counted, again }, now)) return;
      await notify(dependencies.mail, email, await compose());
    });
    return answer;
  },
);

/** The id of the asking browser, if the account has it among its own. */
async function ownBrowser({ browsers: known }: Dependencies, { sub }: Account, cookies: readonly string[]) {
  const token = sentBrowserToken(cookies);
  if (token === undefined) return undefined;
  return (await known.read({ user_id: sub, id: browserId(token) }))?.id;
}

function composerOf(
  dependencies: Dependencies,
  account: Account,
  { email, purpose }: { email: string; purpose: 'reset' | 'end-contract' },
  now: Date,
): (() => Promise<Notice>) | undefined {
  const { proofs, siteUrl } = dependencies;
  if (purpose === 'end-contract') {
    // On any plan: the page behind the link says which.
    if (isUnconfirmed(account, email)) return undefined;
    return async () => endContractEmail({ siteUrl, token: await proofs.create({ purpose, email }, now) });
  }
  if (!account.enabled) return undefined;
  const { username } = account;
  if (hasPassword(account)) {
    return async () => resetEmail({ url: await resetLink(dependencies, { email, username }, now) });
  }
  const [first, ...others] = providersOf(account);
  if (first === undefined) return undefined;
  return async () => signInWithProviderEmail({ providers: [first, ...others], siteUrl });
}
