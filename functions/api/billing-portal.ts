import { endpoint } from '../../schemas/routes/billing-portal.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { planTable } from '../adapters/tables.ts';
import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import { siteUrl } from '../runtime/with-environment.ts';
import { customerIdOf } from '../domain/plan.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const adapters = { planTable, billing: stripeBilling, sessionUser: cognitoSessionUser, siteUrl };

/** A link to a page of Stripe's customer portal, which leads back to the dashboard. Cards never reach us. */
export const handler = route(endpoint, adapters, async ({ page }, { row }, dependencies) => {
  const customerId = row && customerIdOf(row);
  const back = `${dependencies.siteUrl}/dashboard`;
  const done = page === 'card' ? `${back}?card=new` : back;
  const url = customerId && (await dependencies.billing.portalUrl(customerId, { page, back, done }));
  // Without a subscription, a card has nothing to pay, and no invoice comes.
  if (!url) throw refusal(endpoint, 'no-active-subscription');
  return { url };
});
