import type Stripe from 'stripe';
import { flag, required, text } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { matching, page, pagination } from '../list.ts';
import { inPath, route, type Route } from '../route.ts';

/** Domains are only stored: the form here shows no wallet. */
export const paymentMethodDomainRoutes: Route[] = [
  route(
    'POST',
    '/v1/payment_method_domains',
    { domain_name: required(text), enabled: flag },
    ({ ledger, input }) => {
      // How Stripe answers a second registration isn't documented. Here, with the first.
      const existing = ledger.paymentMethodDomains
        .list()
        .find(({ domain_name: name }) => name === input.domain_name);
      return existing ?? save(ledger, newDomain(input.domain_name, input.enabled ?? true, ledger.now()));
    },
  ),

  route(
    'GET',
    '/v1/payment_method_domains',
    { ...pagination, domain_name: text, enabled: flag },
    ({ ledger, input }) =>
      page(
        matching(ledger.paymentMethodDomains.list(), input, 'domain_name', 'enabled'),
        input,
        '/v1/payment_method_domains',
      ),
  ),

  route('POST', '/v1/payment_method_domains/:id', { enabled: flag }, ({ ledger, id, input }) =>
    save(ledger, { ...domainInPath(ledger, id), ...input }),
  ),

  route('POST', '/v1/payment_method_domains/:id/validate', {}, ({ ledger, id }) => domainInPath(ledger, id)),
];

const domainInPath = (ledger: Ledger, id: string): Stripe.PaymentMethodDomain =>
  inPath(ledger.paymentMethodDomains, id, 'payment method domain');

function save(ledger: Ledger, domain: Stripe.PaymentMethodDomain): Stripe.PaymentMethodDomain {
  ledger.paymentMethodDomains.put(domain.id, domain);
  return domain;
}

/** A domain where every method is active, except below `invalid`, where no site can be (RFC 2606). */
function newDomain(name: string, enabled: boolean, created: number): Stripe.PaymentMethodDomain {
  const state = name.endsWith('.invalid')
    ? { status: 'inactive', status_details: { error_message: 'The domain could not be reached.' } }
    : { status: 'active' };
  return {
    id: newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: state,
    apple_pay: state,
    created,
    domain_name: name,
    enabled,
    google_pay: state,
    klarna: state,
    link: state,
    livemode: false,
    paypal: state,
  };
}
