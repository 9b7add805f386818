import { legalVersions } from '../../schemas/product/legal-versions.ts';
import type { Offer } from '../../schemas/product/offers.ts';

/** The terms and the price that a buyer accepts by paying. */
export interface Agreement {
  /** Key of the offer. */
  offer: string;
  /** Version of the terms. */
  terms: string;
  /** Amount, currency and interval: `5.00 USD per month`. */
  price: string;
}

export const agreementToday = ({ key, priceInCents, currency, period }: Offer): Agreement => ({
  offer: key,
  terms: legalVersions.terms.version,
  price: `${(priceInCents / 100).toFixed(2)} ${currency.toUpperCase()} ${period}`,
});

/** Metadata of a checkout and its subscription, which keeps it after the account's deletion. */
export const agreementMetadata = ({ offer, terms, price }: Agreement): Record<string, string> => ({
  agreed_offer: offer,
  agreed_terms: terms,
  agreed_price: price,
});

/** Undefined for a subscription that support made, or from before agreements were stored. */
export function agreementIn(metadata: Readonly<Record<string, string>> | null): Agreement | undefined {
  const { agreed_offer: offer, agreed_terms: terms, agreed_price: price } = metadata ?? {};
  if (offer === undefined || terms === undefined || price === undefined) return undefined;
  return { offer, terms, price };
}
