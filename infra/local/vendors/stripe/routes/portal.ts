import type Stripe from 'stripe';
import { existingCustomer } from '../customers.ts';
import { invalid, missingReference } from '../errors.ts';
import { updatedMetadata, flag, list, metadata, object, oneOf, required, text, url } from '../fields.ts';
import { newId, randomLetters } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { matching, page, pagination } from '../list.ts';
import { inPath, route, type Route } from '../route.ts';

const feature = object({ enabled: required(flag) });

// The flows that the product uses. Each other flow would need a page.
const flow = object({
  type: required(oneOf('payment_method_update', 'customer_update')),
  after_completion: object({
    type: required(oneOf('portal_homepage', 'redirect')),
    redirect: object({ return_url: required(url) }),
  }),
});

const features = object({
  customer_update: object({
    enabled: required(flag),
    allowed_updates: list(oneOf('name', 'address', 'tax_id')),
  }),
  invoice_history: feature,
  payment_method_update: feature,
  subscription_cancel: feature,
  subscription_pause: feature,
  subscription_update: feature,
});

export const portalRoutes: Route[] = [
  route(
    'POST',
    '/v1/billing_portal/configurations',
    { default_return_url: url, features: required(features), login_page: feature, metadata },
    ({ ledger, input }) => {
      const configuration = {
        id: newId('bpc'),
        object: 'billing_portal.configuration',
        active: true,
        application: null,
        business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
        created: ledger.now(),
        default_return_url: input.default_return_url ?? null,
        features: featuresOf(input),
        // The default configuration is the one saved in the dashboard.
        is_default: false,
        livemode: false,
        login_page: { enabled: false, url: null },
        metadata: updatedMetadata({}, input.metadata),
        name: null,
        updated: ledger.now(),
      } satisfies Stripe.BillingPortal.Configuration;
      ledger.portalConfigurations.put(configuration.id, configuration);
      return configuration;
    },
  ),

  // All features at once, as the product sends them. Stripe leaves those that are absent.
  route(
    'POST',
    '/v1/billing_portal/configurations/:id',
    { active: flag, features, login_page: feature },
    ({ ledger, id, input }) => {
      const before = inPath(ledger.portalConfigurations, id, 'configuration');
      const configuration = {
        ...before,
        active: input.active ?? before.active,
        ...(input.features && { features: featuresOf({ ...input, features: input.features }) }),
        updated: ledger.now(),
      } satisfies Stripe.BillingPortal.Configuration;
      ledger.portalConfigurations.put(id, configuration);
      return configuration;
    },
  ),

  route(
    'GET',
    '/v1/billing_portal/configurations',
    { ...pagination, active: flag, is_default: flag },
    ({ ledger, input }) =>
      page(
        matching(ledger.portalConfigurations.list(), input, 'active', 'is_default'),
        input,
        '/v1/billing_portal/configurations',
      ),
  ),

  route(
    'POST',
    '/v1/billing_portal/sessions',
    { configuration: text, customer: required(text), flow_data: flow, locale: text, return_url: url },
    ({ ledger, input }) => {
      existingCustomer(ledger, input.customer);
      const secret = randomLetters(48);
      const session = {
        id: newId('bps'),
        object: 'billing_portal.session',
        configuration: configurationOf(ledger, input),
        created: ledger.now(),
        customer: input.customer,
        customer_account: null,
        flow: input.flow_data ? flowOf(input.flow_data) : null,
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

/** Refuses a feature that would need a page of its own. */
function featuresOf({
  features: chosen,
  login_page: loginPage,
}: {
  features: ReturnType<typeof features>;
  login_page?: ReturnType<typeof feature>;
}): Stripe.BillingPortal.Configuration['features'] {
  const {
    customer_update: details,
    invoice_history: history,
    payment_method_update: update,
    ...others
  } = chosen;
  for (const [name, { enabled }] of Object.entries({
    ...others,
    ...(loginPage && { login_page: loginPage }),
  })) {
    if (enabled) throw invalid(`This local stand-in has no \`${name}\`.`, name);
  }
  if (details?.enabled && !details.allowed_updates?.length) {
    throw invalid(
      '`allowed_updates` must be set if `customer_update` is enabled.',
      'features[customer_update][allowed_updates]',
    );
  }
  if (!details?.enabled && !history?.enabled && !update?.enabled) {
    throw invalid('A configuration must have at least one feature enabled.', 'features');
  }
  return {
    customer_update: {
      allowed_updates: details?.allowed_updates ?? [],
      enabled: details?.enabled ?? false,
    },
    invoice_history: { enabled: history?.enabled ?? false },
    payment_method_update: { enabled: update?.enabled ?? false, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      enabled: false,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      enabled: false,
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
    },
  };
}

/** The named configuration, or the account's default, which always exists here. */
function configurationOf(
  ledger: Ledger,
  input: { configuration?: string; flow_data?: ReturnType<typeof flow> },
): string {
  if (input.configuration === undefined) return 'bpc_local';
  const configuration = ledger.portalConfigurations.get(input.configuration);
  if (!configuration) throw missingReference('configuration', input.configuration, 'configuration');
  if (input.flow_data && !configuration.features[input.flow_data.type].enabled) {
    throw invalid(
      `This session can not be created with the flow \`${input.flow_data.type}\` because that feature is disabled in its configuration.`,
      'flow_data[type]',
    );
  }
  return configuration.id;
}

function flowOf({
  type,
  after_completion: after,
}: ReturnType<typeof flow>): Stripe.BillingPortal.Session.Flow {
  if (after?.type === 'redirect' && !after.redirect) {
    throw invalid(
      'Missing required param: flow_data[after_completion][redirect].',
      'flow_data[after_completion][redirect]',
      'parameter_missing',
    );
  }
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: after?.redirect ?? null,
      type: after?.type ?? 'portal_homepage',
    },
    customer_update: type === 'customer_update' ? {} : null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type,
  };
}
