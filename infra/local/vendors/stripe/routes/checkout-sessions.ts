import type Stripe from 'stripe';
import { orderedPrices } from '../catalogue.ts';
import { expireSession, openSession } from '../checkout.ts';
import { checkCustomerFilter, existingCustomer } from '../customers.ts';
import { invalid, parameterMissing } from '../errors.ts';
import { oneOf, text } from '../fields.ts';
import type { Ledger } from '../ledger.ts';
import { matching, page, pagination } from '../list.ts';
import { inPath, route, type Route } from '../route.ts';
import { sessionFields } from '../session-fields.ts';
import { hasEnded } from '../subscriptions.ts';

/** The account's payment methods, a session's default: cards, Link, a bank debit that settles later. */
const ACCOUNT_METHOD_TYPES = ['card', 'link', 'us_bank_account'] as const;

export const checkoutSessionRoutes: Route[] = [
  route('POST', '/v1/checkout/sessions', sessionFields, ({ ledger, input }) => {
    const mode = input.ui_mode ?? 'hosted_page';
    if (mode !== 'embedded_page') {
      throw invalid(`This local stand-in shows \`embedded_page\` only, not \`${mode}\`.`, 'ui_mode');
    }
    if (input.phone_number_collection?.enabled) {
      throw invalid(
        'This local stand-in has no `phone_number_collection`.',
        'phone_number_collection[enabled]',
      );
    }
    if (input.return_url === undefined) throw parameterMissing('return_url');
    if (!input.line_items) throw parameterMissing('line_items');
    const customer = existingCustomer(ledger, input.customer);
    const prices = orderedPrices(ledger, input.line_items, 'line_items');
    refuseOtherCurrency(ledger, customer, prices[0]?.price.currency);
    if (input.automatic_tax?.enabled) checkTax(prices, customer, input.customer_update?.address);
    if (input.tax_id_collection?.enabled) checkTaxId(input.customer_update?.name);
    const offered = offeredMethods(input.allowed_payment_method_types);
    return openSession(ledger, input, { customer, prices, offered, returnUrl: input.return_url });
  }),

  route(
    'GET',
    '/v1/checkout/sessions',
    {
      ...pagination,
      customer: text,
      status: oneOf('complete', 'expired', 'open'),
    },
    ({ ledger, input }) => {
      checkCustomerFilter(ledger, input.customer);
      const sessions = ledger.sessions.list({ customer: input.customer });
      return page(matching(sessions, input, 'status'), input, '/v1/checkout/sessions');
    },
  ),

  route('GET', '/v1/checkout/sessions/:id', {}, ({ ledger, id }) => sessionInPath(ledger, id)),

  route('POST', '/v1/checkout/sessions/:id/expire', {}, ({ ledger, id }) => {
    const session = sessionInPath(ledger, id);
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    return expireSession(ledger, session);
  }),
];

/**
 * "Only payment methods that are both dynamically eligible and present in this list will be offered"
 * (Stripe's reference). How a session without any is refused isn't documented.
 */
function offeredMethods(allowed: readonly string[] | undefined) {
  const offered = ACCOUNT_METHOD_TYPES.filter((type) => allowed?.includes(type) ?? true);
  if (offered.length > 0) return offered;
  throw invalid(
    'No payment method types are left for this Checkout Session.',
    'allowed_payment_method_types',
  );
}

/** Stripe's sentence, as people quote it. Only what is still running counts. */
function refuseOtherCurrency(
  ledger: Ledger,
  customer: Stripe.Customer | undefined,
  currency: string | undefined,
): void {
  const other = ledger.subscriptions
    .list({ customer: customer?.id ?? '' })
    .find((subscription) => !hasEnded(subscription) && subscription.currency !== currency);
  if (!other) return;
  throw invalid(
    'You cannot combine currencies on a single customer. This customer has an active subscription, subscription ' +
      'schedule, discount, quote, invoice item or active subscription mode checkout session with currency ' +
      `${other.currency}.`,
  );
}

/**
 * "You must set customer_update[name] to auto to allow Checkout to do so":
 * https://docs.stripe.com/tax/checkout/tax-ids
 */
function checkTaxId(name: 'auto' | 'never' | undefined): void {
  if (name === 'auto') return;
  throw invalid(
    'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
    'customer_update',
  );
}

/** Refuses a session whose taxes couldn't be computed. */
function checkTax(
  prices: { price: Stripe.Price }[],
  customer: Stripe.Customer | undefined,
  address: 'auto' | 'never' | undefined,
): void {
  if (prices.some(({ price }) => price.tax_behavior !== 'inclusive')) {
    throw invalid('This local stand-in computes taxes that the price includes, and no others.', 'line_items');
  }
  if (customer && !customer.address?.country && address !== 'auto') {
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      undefined,
      'customer_tax_location_invalid',
    );
  }
}

const sessionInPath = (ledger: Ledger, id: string): Stripe.Checkout.Session =>
  inPath(ledger.sessions, id, 'checkout.session', 'session');
