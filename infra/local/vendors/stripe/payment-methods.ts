import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { cardOfToken, type ReadCard } from './cards.ts';
import { emptyAddress } from './customers.ts';
import { invalid, missingReference, StripeRefusal } from './errors.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { refusalOfCard } from './payments.ts';

type Owner = Pick<Stripe.Customer, 'id' | 'email'>;

/** Attaches a payment method, or creates one for a token such as `pm_card_visa`. */
export function attach(ledger: Ledger, id: string, owner: Owner): Stripe.PaymentMethod {
  const card = cardOfToken(id);
  if (card) {
    const { behavior } = card;
    if (behavior.kind === 'refuses') throw new StripeRefusal(402, refusalOfCard(behavior));
    const nextYear = new Date(ledger.now() * 1000).getUTCFullYear() + 1;
    return addCard(ledger, { card, expiryMonth: 12, expiryYear: nextYear, name: '' }, owner);
  }
  const existing = ledger.paymentMethods.get(id);
  if (!existing) throw missingReference('PaymentMethod', id, 'payment_method');
  if (existing.customer === owner.id) return existing;
  throw invalid(
    existing.customer === null
      ? 'This PaymentMethod was previously used without being attached to a Customer or was detached from a ' +
          'Customer, and may not be used again.'
      : 'The payment method you provided has already been attached to a customer.',
    'payment_method',
  );
}

/** The payment method that a parameter names. Refused unless it belongs to the customer. */
export function usablePaymentMethod(
  ledger: Ledger,
  id: string,
  customer: string,
  param: string,
): Stripe.PaymentMethod {
  const method = ledger.paymentMethods.get(id);
  if (method?.customer !== customer) {
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
      'resource_missing',
    );
  }
  return method;
}

/** Creates the payment method of an entered card, attached to its customer. */
export function addCard(ledger: Ledger, card: ReadCard, owner: Owner): Stripe.PaymentMethod {
  const method = createCard(ledger, card, { customer: owner.id, email: owner.email });
  ledger.emit('payment_method.attached', method);
  return method;
}

/** Creates the payment method of an entered card. Without a customer it can be used once. */
export function createCard(
  ledger: Ledger,
  { card, expiryMonth, expiryYear, name }: ReadCard,
  { customer, email }: { customer: string | null; email: string | null },
): Stripe.PaymentMethod {
  const method = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: emptyAddress,
      email,
      name: name || null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: expiryMonth,
      exp_year: expiryYear,
      // The same for the same card, and not reversible.
      fingerprint: createHash('sha256').update(`selfsame:${card.number}`).digest('base64url').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: ledger.now(),
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  } satisfies Stripe.PaymentMethod;
  ledger.paymentMethods.put(method.id, method);
  ledger.cards.put(method.id, card.behavior);
  return method;
}
