import type { Stripe } from 'stripe';

/** A domain's registration for payment methods, which Stripe's embedded page needs for wallets. */
export async function domainAt(
  stripe: Stripe,
  name: string,
): Promise<Stripe.PaymentMethodDomain | undefined> {
  const { data } = await stripe.paymentMethodDomains.list({ domain_name: name, limit: 1 });
  return data[0];
}

/** The reasons why a wallet doesn't show on a registered domain. Empty if all of them show. */
export function walletProblemsOf(domain: Stripe.PaymentMethodDomain): string[] {
  if (!domain.enabled) return ['its registration is switched off'];
  const wallets = { 'Apple Pay': domain.apple_pay, 'Google Pay': domain.google_pay, Link: domain.link };
  return Object.entries(wallets).flatMap(([name, { status, status_details: details }]) =>
    status === 'active'
      ? []
      : [`${name} is ${status}${details ? `, since Stripe says "${details.error_message}"` : ''}`],
  );
}
