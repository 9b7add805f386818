import { endpoint } from '../../schemas/routes/provider-reminder.ts';
import { type HolderDependencies, holderOf } from '../accounts/holder-of.ts';
import { isWithinLimit } from '../accounts/within-limit.ts';
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { type AddressLimits, addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { providersOf } from '../domain/account-linking.ts';
import { signInWithProviderEmail } from '../emails/sign-in-with-provider.ts';
import { notify } from '../notices/notify.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends HolderDependencies {
  limits: AddressLimits;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Mails the owner of an account without a password which providers open it. Answers the same for every
 * address, and a mail that isn't taken is only logged: the answer tells nobody who has an account.
 */
export const remindOfProvider = (dependencies: Dependencies) => {
  const { limits, mail, siteUrl } = dependencies;
  return route(endpoint, async ({ email }, { now }) => {
    const answer = { received: true as const };
    const account = await holderOf(dependencies, email);
    if (!account?.enabled) return answer;
    const [first, ...others] = providersOf(account);
    if (account.status !== 'EXTERNAL_PROVIDER' || first === undefined) return answer;
    if (await isWithinLimit(limits, 'mail', email, now)) {
      await notify(mail, email, signInWithProviderEmail({ providers: [first, ...others], siteUrl }));
    }
    return answer;
  });
};

export const handler = withEnvironment(endpoint, (environment) =>
  remindOfProvider({
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    pool: cognitoUserPool(environment.USER_POOL_ID),
    limits: addressLimits(environment.ADDRESS_CHANGES_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
