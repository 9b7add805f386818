import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { closingUntil } from '../domain/closing.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { endBilling, type Ending } from '../plans/end-billing.ts';
import { environment } from '../runtime/environment.ts';
import { notify } from '../runtime/notify.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

// A browser left open on somebody's desk must not be enough. Refreshing a token doesn't make a sign-in younger.
const FRESH_FOR = 10 * 60_000;

/**
 * Deletes the caller's account. Every step may be repeated, and a step that fails leaves an account whose owner can press
 * again; nothing is billed from the moment Stripe has been dealt with:
 *
 * 1. the row is closed: from here on it takes on no customer and no checkout, so what it names is all there is;
 * 2. Stripe: the open checkout can't be paid any more, what runs is ended, the customer is deleted. A payment that comes
 *    between ends with its customer;
 * 3. the row is emptied, and stays closed: a look from another tab finds it and opens no other;
 * 4. the user leaves the pool, and with that the last token stops working;
 * 5. the row goes. From here on whoever opens one asks the pool first, and hears that there is nobody.
 */
export const deleteAccount = ({
  plans,
  billing,
  accounts,
  mail,
}: {
  plans: Pick<PlansTable, 'close' | 'empty' | 'remove'>;
  billing: Ending;
  accounts: Accounts;
  mail: Mail;
}) =>
  route(api['delete-account'], async (_, { user, now }) => {
    if (now.getTime() - user.signedInAt.getTime() > FRESH_FOR) throw new Refusal('sign-in-again');
    // Read before there is nobody left to ask about.
    const email = await accounts.emailOf(user.accessToken);
    const subscriptionEnded = await endBilling(billing, await plans.close(user.id, closingUntil(now)));
    await plans.empty(user.id);
    await accounts.deleteUser(user.accessToken);
    try {
      await plans.remove(user.id);
    } catch (error) {
      // The account is gone, and nobody can press again. What is left is an id that leads to nobody.
      console.error({ message: 'An emptied row was not removed.', user: user.id, error: String(error) });
    }
    const mailSent = await notify(mail, email, accountDeletedEmail({ subscriptionEnded, at: now }));
    return { subscriptionEnded, mailSent };
  });

const settings = environment('writePlans', 'deletePlans', 'stripe', 'mail');
export const handler = deleteAccount({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
  accounts,
  mail: sesMail(settings),
});
