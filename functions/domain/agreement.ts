import { legalVersions } from '../../schemas/product/legal-versions.ts';
import { plans } from '../../schemas/product/product.ts';

/** The offer that a buyer accepts by paying. */
export interface Agreement {
  /** Version of the terms. */
  terms: string;
  /** Amount, currency and interval: `5.00 USD per month`. */
  price: string;
}

const { priceInCents, currency, period } = plans.plus;

/** The agreement of a purchase now. */
export const agreementToday: Agreement = {
  terms: legalVersions.terms.version,
  price: `${(priceInCents / 100).toFixed(2)} ${currency.toUpperCase()} ${period}`,
};

/**
 * The agreement as metadata of a checkout and, from the payment on, of its subscription. It stays with the
 * subscription at Stripe after the account is deleted.
 */
export const agreementMetadata = ({ terms, price }: Agreement): Record<string, string> => ({
  agreed_terms: terms,
  agreed_price: price,
});

/** Undefined for a subscription that support made, or from before agreements were stored. */
export function agreementIn(metadata: Readonly<Record<string, string>> | null): Agreement | undefined {
  const { agreed_terms: terms, agreed_price: price } = metadata ?? {};
  return terms === undefined || price === undefined ? undefined : { terms, price };
}
