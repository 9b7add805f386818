import { endpoint } from '../../schemas/routes/change-email.ts';
import { newCode } from '../accounts/address-secrets.ts';
import { changeItem } from '../accounts/change-item.ts';
import { comesBack } from '../accounts/comes-back.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { isTaken } from '../accounts/take-address.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type Addresses, addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { withPending } from '../domain/address-change.ts';
import { emailCodeEmail } from '../emails/email-code.ts';
import { emailInUseEmail } from '../emails/email-in-use.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: Pick<Addresses, 'ownerOf'>;
  pool: Pick<UserPool, 'find'>;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Begins a change of the caller's address: mails a code to the new address. If another account has that
 * address, its owner is mailed instead, and the answer is the same. Changes nothing about the account.
 */
export const changeEmail = ({ sessionUser, addressChanges, addresses, pool, mail, siteUrl }: Dependencies) =>
  route(endpoint, { sessionUser }, async ({ newEmail }, { user, profile, now }) => {
    requireRecentSignIn(user, now);
    if (requireOwnAddress(profile) === newEmail) throw new Refusal('same-address');
    const { code, stored } = newCode();
    // Counted before anything is mailed. A code for an address that is taken is kept too, and sent to nobody:
    // what the caller is told later doesn't depend on it.
    await changeItem(addressChanges, user.id, (change) => {
      const next = withPending(change, { email: newEmail, ...stored }, now);
      if (!next) throw new Refusal('too-many-tries');
      return next;
    });
    // Counted too: SES answers few such questions a second, and each tells about an address of anybody.
    if (await comesBack(mail, newEmail)) throw new Refusal('mail-came-back');
    const notice = (await isTaken({ addresses, pool }, newEmail, user.id))
      ? emailInUseEmail({ siteUrl })
      : emailCodeEmail({ code });
    if (!(await notify(mail, newEmail, notice))) throw new Refusal('mail-not-sent');
    return { sent: true as const };
  });

export const handler = withEnvironment(endpoint.needs, (environment) =>
  changeEmail({
    sessionUser: cognitoSessionUser(),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    pool: cognitoUserPool(environment.USER_POOL_ID),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
