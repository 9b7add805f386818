import { endpoint } from '../../schemas/routes/delete-account.ts';
import { cognitoSessionUser, type SessionUser, verifiedEmailOf } from '../adapters/cognito/session-user.ts';
import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import type { PlansTable } from '../adapters/dynamodb/plans-table.ts';
import { sesMail } from '../adapters/ses.ts';
import { closingUntil } from '../domain/closing.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { deleteClosedAccount, type DeletionDependencies } from '../accounts/delete-closed-account.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends DeletionDependencies {
  plans: DeletionDependencies['plans'] & Pick<PlansTable, 'close'>;
  sessionUser: SessionUser;
}

/**
 * Deletes the caller's account. First closes the row, which from then on takes on no customer and no
 * checkout. After a failed step, the user can try again.
 */
export const deleteAccount = ({ sessionUser, ...dependencies }: Dependencies) =>
  route(endpoint, { sessionUser }, async (_, { user, profile, now }) => {
    requireRecentSignIn(user, now);
    const account = {
      row: await dependencies.plans.close(user.id, closingUntil(now)),
      username: profile.username,
      email: verifiedEmailOf(profile),
      deleteUser: () => sessionUser.delete(user.accessToken),
      notice: (subscriptionEnded: boolean) => accountDeletedEmail({ subscriptionEnded, at: now }),
    };
    const { subscriptionEnded, mailSent } = await deleteClosedAccount(dependencies, account, now);
    return { subscriptionEnded, mailSent };
  });

export const handler = withEnvironment(endpoint, (environment) =>
  deleteAccount({
    ...planAdapters(environment),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    sessionUser: cognitoSessionUser(),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    mail: sesMail(environment),
  }),
);
