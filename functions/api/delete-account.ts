import { endpoint } from '../../schemas/routes/delete-account.ts';
import { cognitoSessionUser, type SessionUser, verifiedEmailOf } from '../adapters/cognito/session-user.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable, type PlansTable } from '../adapters/dynamodb/plans-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { closingUntil } from '../domain/closing.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { endBilling, type EndBillingDependencies } from '../plans/end-billing.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends EndBillingDependencies {
  plans: Pick<PlansTable, 'close' | 'clear' | 'remove'>;
  addressChanges: Pick<AddressChangesTable, 'remove'>;
  sessionUser: SessionUser;
  mail: Mail;
}

/**
 * Deletes the caller's account. Each step can be repeated, and a step that fails leaves an account whose user
 * can try again. Nothing is billed once step 2 is done:
 *
 * 1. close the row: it takes on no customer and no checkout from here on;
 * 2. end the billing at Stripe: checkout, subscriptions, customer; what Stripe refuses is left as a task;
 * 3. clear the row, which stays closed: a request from another tab finds it and opens no new row;
 * 4. delete the user from the pool: the last token stops working;
 * 5. remove the row: a later request asks the pool first and is refused. Remove the changes of address.
 */
export const deleteAccount = ({ plans, addressChanges, sessionUser, mail, ...ending }: Dependencies) =>
  route(endpoint, { sessionUser }, async (_, { user, profile, now }) => {
    requireRecentSignIn(user, now);
    const subscriptionEnded = await endBilling(ending, await plans.close(user.id, closingUntil(now)), now);
    await plans.clear(user.id);
    await sessionUser.delete(user.accessToken);
    const [mailSent] = await Promise.all([
      notify(mail, verifiedEmailOf(profile), accountDeletedEmail({ subscriptionEnded, at: now })),
      removeRow(plans, user),
      removeRow(addressChanges, user),
    ]);
    return { subscriptionEnded, mailSent };
  });

async function removeRow(table: { remove(id: string): Promise<void> }, { id }: User): Promise<void> {
  try {
    await table.remove(id);
  } catch (error) {
    // The account is gone, so the user can't try again. A row of the plans that is left holds nothing but an
    // id, and changes of address expire within seven days.
    log.error('row-not-removed', { user: id }, error);
  }
}

export const handler = withEnvironment(endpoint.needs, (environment) =>
  deleteAccount({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    sessionUser: cognitoSessionUser(),
    mail: sesMail(environment),
  }),
);
