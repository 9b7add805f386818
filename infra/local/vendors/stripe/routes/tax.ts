import type Stripe from 'stripe';
import { oneOf } from '../fields.ts';
import { matching, page, pagination } from '../list.ts';
import { route, type Route } from '../route.ts';
import { TAX_RATES } from '../tax.ts';

/** The tax settings of an account where nothing is missing. They can't be changed here. */
export const taxRoutes: Route[] = [
  route(
    'GET',
    '/v1/tax/settings',
    {},
    () =>
      ({
        object: 'tax.settings',
        defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
        head_office: {
          address: {
            city: 'Wilmington',
            country: 'US',
            line1: '1 Main Street',
            line2: null,
            postal_code: '19801',
            state: 'DE',
          },
        },
        livemode: false,
        status: 'active',
        status_details: { active: {} },
      }) satisfies Stripe.Tax.Settings,
  ),

  route(
    'GET',
    '/v1/tax/registrations',
    { ...pagination, status: oneOf('active', 'all', 'expired', 'scheduled') },
    ({ input: { status = 'all', ...input } }) =>
      page(
        matching(registrations, { ...input, status: status === 'all' ? undefined : status }, 'status'),
        input,
        '/v1/tax/registrations',
      ),
  ),
];

const registrations = Object.keys(TAX_RATES).map((country): Stripe.Tax.Registration => ({
  id: `taxreg_${country}`,
  object: 'tax.registration',
  active_from: 0,
  country,
  country_options: { [country.toLowerCase()]: { type: 'standard' } },
  created: 0,
  expires_at: null,
  livemode: false,
  status: 'active',
}));
