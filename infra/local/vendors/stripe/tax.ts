import type Stripe from 'stripe';
import { emptyAddress, updateCustomer } from './customers.ts';
import type { Ledger } from './ledger.ts';

/** Countries where this account is registered, with their taxes in percent. It collects none elsewhere. */
export const TAX_RATES: Readonly<Record<string, number>> = { AU: 10, DE: 19, FR: 20, GB: 20 };

/** The countries that the form of a session with automatic tax offers. Stripe's form offers all. */
export const COUNTRIES = ['AU', 'CH', 'DE', 'FR', 'GB', 'US'];

type TaxId = Pick<Stripe.Invoice.CustomerTaxId, 'type' | 'value'>;

export interface TaxLocation {
  country: string | null;
  taxId: TaxId | undefined;
}

/** The type of a business's number in its country. */
const taxIdTypeOf = (country: string): 'au_abn' | 'eu_vat' | 'gb_vat' =>
  country === 'AU' ? 'au_abn' : country === 'GB' ? 'gb_vat' : 'eu_vat';

export const locationOf = (ledger: Ledger, customer: Stripe.Customer | undefined): TaxLocation => ({
  country: customer?.address?.country ?? null,
  taxId: customer && ledger.taxIds.get(customer.id),
});

/**
 * The tax within an amount. A business abroad with a tax id owes the tax itself ("reverse charge"), and pays
 * the same. Stripe needs a postal code too in some countries, and its rates depend on the product's tax code.
 */
export function taxWithin(amount: number, { country, taxId }: TaxLocation): Stripe.Invoice.TotalTax {
  const percent = TAX_RATES[country ?? ''] ?? 0;
  const tax = taxId ? 0 : amount - Math.round(amount / (1 + percent / 100));
  return {
    amount: tax,
    tax_behavior: 'inclusive',
    tax_rate_details: percent > 0 ? { tax_rate: `txr_${country}` } : null,
    taxability_reason: percent === 0 ? 'not_collecting' : taxId ? 'reverse_charge' : 'standard_rated',
    taxable_amount: amount - tax,
    type: 'tax_rate_details',
  };
}

/** An invoice or a session without taxes of Stripe. */
export const noTax = { enabled: false, liability: null, provider: null, status: null } as const;

/** Whether the invoices of a subscription have taxes. */
export const taxSetting = (enabled: boolean): Stripe.Subscription.AutomaticTax => ({
  disabled_reason: null,
  enabled,
  liability: enabled ? { type: 'self' } : null,
});

/** The state of taxes on an invoice or a session. Stripe computes them only for a known place. */
export const taxState = ({ country }: TaxLocation) =>
  ({
    enabled: true,
    liability: { type: 'self' },
    provider: 'stripe',
    status: country === null ? 'requires_location_inputs' : 'complete',
  }) as const;

/** The entered place and tax id, which are saved with the customer. Undefined if the form doesn't ask. */
export function saveLocation(
  ledger: Ledger,
  session: Stripe.Checkout.Session,
  customerId: string,
  { country, taxId: value }: { country: string; taxId: string | null },
): { address: Stripe.Address | undefined; taxId: Stripe.Invoice.CustomerTaxId | undefined } {
  const taxId =
    session.tax_id_collection?.enabled && value !== null
      ? saveTaxId(ledger, customerId, { country, value })
      : undefined;
  const address = session.automatic_tax.enabled ? { ...emptyAddress, country } : undefined;
  if (address) updateCustomer(ledger, customerId, { address });
  return { address, taxId };
}

export function saveTaxId(
  ledger: Ledger,
  customerId: string,
  { country, value }: { country: string; value: string },
): TaxId {
  const taxId = { type: taxIdTypeOf(country), value };
  ledger.taxIds.put(customerId, taxId);
  return taxId;
}

/** The taxes of a paid session. */
export const taxesOf = (total: number | null, location: TaxLocation) => ({
  automatic_tax: taxState(location),
  total_details: {
    amount_discount: 0,
    amount_shipping: 0,
    amount_tax: taxWithin(total ?? 0, location).amount,
  },
});
