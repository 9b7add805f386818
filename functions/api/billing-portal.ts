import { endpoint } from '../../schemas/routes/billing-portal.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { customerIdOf } from '../domain/plan.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies {
  planTable: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'portalUrl'>;
  sessionUser: Pick<SessionUser, 'profile'>;
  /** The site's origin. */
  siteUrl: string;
}

/** A link to a page of Stripe's customer portal, which leads back to the dashboard. Cards never reach us. */
export const openBillingPortal = ({ planTable, billing, sessionUser, siteUrl }: Dependencies) =>
  route(endpoint, { sessionUser, planTable }, async ({ page }, { row }) => {
    const customerId = row && customerIdOf(row);
    const back = `${siteUrl}/dashboard`;
    const done = page === 'card' ? `${back}?card=new` : back;
    const url = customerId && (await billing.portalUrl(customerId, { page, back, done }));
    // Without a subscription, a card has nothing to pay, and no invoice comes.
    if (!url) throw refusal('no-active-subscription');
    return { url };
  });

export const handler = withEnvironment(endpoint, (environment) =>
  openBillingPortal({
    planTable: plansTable(environment.USER_PLANS_TABLE),
    billing: stripeBilling(environment),
    sessionUser: cognitoSessionUser(),
    siteUrl: environment.SITE_URL,
  }),
);
