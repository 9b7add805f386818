import { endpoint } from '../../schemas/routes/change-email.ts';
import { isTaken } from '../accounts/address-ownership.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { newCode } from '../accounts/address-secrets.ts';
import { isUndeliverable } from '../accounts/is-undeliverable.ts';
import { isWithinLimit } from '../accounts/within-limit.ts';
import { requireOwnAddress } from '../accounts/require-own-address.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type AddressLimits, addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { type Addresses, addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { requested } from '../domain/address-change.ts';
import { emailCodeEmail } from '../emails/email-code.ts';
import { emailInUseEmail } from '../emails/email-in-use.ts';
import { notify } from '../notices/notify.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  planTable: Pick<SessionEnds, 'read'>;
  noteSession: NoteSession;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  addresses: Pick<Addresses, 'ownerOf'>;
  limits: AddressLimits;
  pool: Pick<UserPool, 'find'>;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Begins a change of the caller's address: mails a code to the new address. If another account has that
 * address, its owner is mailed instead, and the answer is the same. Changes nothing about the account.
 */
export const changeEmail = (dependencies: Dependencies) => {
  const { addressChanges, addresses, limits, pool, mail, siteUrl } = dependencies;
  return route(endpoint, dependencies, async ({ newEmail }, { user, profile, now }) => {
    requireRecentSignIn(user, now);
    if (requireOwnAddress(profile) === newEmail) throw refusal('same-address');
    const { code, stored } = newCode();
    // Counted before anything is mailed. A code for a taken address is stored too, and sent to nobody, so
    // that later answers don't reveal that the address is taken.
    await updateAddressChange(addressChanges, user.id, (change) => {
      const next = requested(change, { email: newEmail, ...stored }, now);
      if (!next) throw refusal('too-many-tries');
      return next;
    });
    // Counted too: SES answers only a few such requests a second, and each answer reveals something about any
    // address.
    if (await isUndeliverable(mail, newEmail)) throw refusal('undeliverable-address');
    // The code of the newest mail doesn't work any more, as if one had gone out.
    if (!(await isWithinLimit(limits, 'mail', newEmail, now))) return { sent: true as const };
    const notice = (await isTaken({ addresses, pool }, newEmail, user.id))
      ? emailInUseEmail({ siteUrl })
      : emailCodeEmail({ code });
    if (!(await notify(mail, newEmail, notice))) throw refusal('mail-not-sent');
    return { sent: true as const };
  });
};

export const handler = withEnvironment(endpoint, (environment) =>
  changeEmail({
    sessionUser: cognitoSessionUser(),
    planTable: sessionEnds(environment.USER_PLANS_TABLE),
    noteSession: sessionNotes(environment),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    limits: addressLimits(environment.ADDRESS_CHANGES_TABLE),
    pool: cognitoUserPool(environment.USER_POOL_ID),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
