import { endpoint } from '../../schemas/routes/delete-account.ts';
import {
  cognitoSessionUser,
  type Profile,
  type SessionUser,
  verifiedEmailOf,
} from '../adapters/cognito/session-user.ts';
import { type Addresses, addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable, type PlansTable } from '../adapters/dynamodb/plans-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { closingUntil } from '../domain/closing.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { endBilling, type EndBillingDependencies } from '../plans/end-billing.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

// Milliseconds. A browser left open on a desk must not be enough. Refreshing a token doesn't renew the
// sign-in.
const RECENT_SIGN_IN = 10 * 60_000;

interface Dependencies extends EndBillingDependencies {
  plans: Pick<PlansTable, 'close' | 'clear' | 'remove'>;
  sessionUser: SessionUser;
  addresses: Pick<Addresses, 'release'>;
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
 * 5. remove the row: a later request asks the pool first and is refused; release the address.
 *
 * Of requests at once, the one that deletes the user and removes the row sends the mail.
 */
export const deleteAccount = ({ plans, sessionUser, addresses, mail, ...ending }: Dependencies) =>
  route(endpoint, { sessionUser }, async (_, { user, profile, now }) => {
    if (now.getTime() - user.signedInAt.getTime() > RECENT_SIGN_IN) throw new Refusal('sign-in-again');
    const subscriptionEnded = await endBilling(ending, await plans.close(user.id, closingUntil(now)), now);
    await plans.clear(user.id);
    const deleted = await sessionUser.delete(user.accessToken);
    const [removed] = await Promise.all([removeRow(plans, user), releaseAddress(addresses, user, profile)]);
    const mailSent =
      !(deleted && removed) ||
      (await notify(mail, verifiedEmailOf(profile), accountDeletedEmail({ subscriptionEnded, at: now })));
    return { subscriptionEnded, mailSent };
  });

/** Resolves with false if another request has removed the row. */
async function removeRow(plans: Pick<PlansTable, 'remove'>, { id }: User): Promise<boolean> {
  try {
    return await plans.remove(id);
  } catch (error) {
    // The account is gone, so the user can't try again. The row that is left holds nothing but an id.
    log.error('row-not-removed', { user: id }, error);
    return true;
  }
}

async function releaseAddress(
  addresses: Pick<Addresses, 'release'>,
  { id }: User,
  profile: Profile,
): Promise<void> {
  const email = verifiedEmailOf(profile);
  if (email === undefined) return;
  try {
    await addresses.release(email, profile.username);
  } catch (error) {
    // Whoever proves the address next finds that the account is gone.
    log.error('address-not-released', { user: id }, error);
  }
}

export const handler = withEnvironment(endpoint.needs, (environment) =>
  deleteAccount({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
    sessionUser: cognitoSessionUser(),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    mail: sesMail(environment),
  }),
);
