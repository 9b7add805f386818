import type Stripe from 'stripe';
import { namedCustomer } from '../customers.ts';
import { required, text, url } from '../fields.ts';
import { newId, randomLetters } from '../ids.ts';
import { route, type Route } from '../route.ts';

export const portalRoutes: Route[] = [
  route(
    'POST',
    '/v1/billing_portal/sessions',
    { configuration: text, customer: required(text), locale: text, return_url: url },
    ({ ledger, input }) => {
      namedCustomer(ledger, input.customer);
      const secret = randomLetters(48);
      const session = {
        id: newId('bps'),
        object: 'billing_portal.session',
        configuration: input.configuration ?? 'bpc_local',
        created: ledger.now(),
        customer: input.customer,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: input.locale ?? null,
        on_behalf_of: null,
        return_url: input.return_url ?? null,
        url: `${ledger.origin}/portal/${secret}`,
      } satisfies Stripe.BillingPortal.Session;
      ledger.portalSessions.put(secret, session);
      return session;
    },
  ),
];
