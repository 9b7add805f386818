import type Stripe from 'stripe';
import { missingReference } from './errors.ts';
import { email, type Input, integer, metadata, nullable, object, text, updatedMetadata } from './fields.ts';
import { newId, randomLetters } from './ids.ts';
import type { Ledger } from './ledger.ts';

export const emptyAddress: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

const address = object({
  city: nullable(text),
  country: nullable(text),
  line1: nullable(text),
  line2: nullable(text),
  postal_code: nullable(text),
  state: nullable(text),
});

export const customerFields = {
  address: nullable(address),
  // A credit is negative.
  balance: integer,
  description: nullable(text),
  email: nullable(email),
  invoice_settings: object({ default_payment_method: nullable(text) }),
  metadata,
  name: nullable(text),
  phone: nullable(text),
} as const;

export function createCustomer(ledger: Ledger, details: Input<typeof customerFields>): Stripe.Customer {
  const customer = {
    id: newId('cus', 14),
    object: 'customer',
    address: details.address ? { ...emptyAddress, ...details.address } : null,
    balance: details.balance ?? 0,
    created: ledger.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: details.description ?? null,
    discount: null,
    email: details.email ?? null,
    invoice_prefix: randomLetters(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: updatedMetadata({}, details.metadata),
    name: details.name ?? null,
    next_invoice_sequence: 1,
    phone: details.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  } satisfies Stripe.Customer;
  ledger.customers.put(customer.id, customer);
  ledger.emit('customer.created', customer);
  return customer;
}

/** The customer that a parameter names. A deleted customer counts as missing. */
export function existingCustomer(ledger: Ledger, id: string, param = 'customer'): Stripe.Customer {
  const customer = ledger.customers.get(id);
  if (!customer || customer.deleted) throw missingReference('customer', id, param);
  return customer;
}

/** Refuses an unknown customer in a filter. A deleted customer's history can still be listed. */
export function checkCustomerFilter(ledger: Ledger, id: string | undefined): void {
  if (id !== undefined && !ledger.customers.get(id)) throw missingReference('customer', id, 'customer');
}

/** Changes a customer on Stripe's own behalf. */
export function updateCustomer(ledger: Ledger, id: string, change: Partial<Stripe.Customer>): void {
  const before = ledger.customers.get(id);
  if (!before || before.deleted) return;
  const customer = { ...before, ...change };
  ledger.customers.put(id, customer);
  ledger.emit('customer.updated', customer, before);
}
