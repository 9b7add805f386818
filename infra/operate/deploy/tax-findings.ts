import type { Stripe } from 'stripe';
import type { StageName } from '../../stages/stages.ts';
import { error, type Finding, warning } from './check.ts';

/** The reasons why Stripe Tax computes no taxes, or not all. */
export function taxFindings(
  stageName: StageName,
  { status, status_details: { pending } }: Pick<Stripe.Tax.Settings, 'status' | 'status_details'>,
  registrations: readonly Stripe.Tax.Registration[],
): Finding[] {
  const without = `or leave out tax in infra/stages/${stageName}.ts.`;
  if (status !== 'active') {
    const missing = pending?.missing_fields?.join(', ') ?? 'something';
    return [
      error(
        `Stripe refuses each checkout, since Stripe Tax lacks settings: ${missing}.`,
        `Enter them at https://dashboard.stripe.com/settings/tax, ${without}`,
      ),
    ];
  }
  if (registrations.length > 0) return [];
  return [
    warning(
      'Stripe Tax knows no place where taxes are to be collected, so each invoice has none.',
      `Add the registrations of your business at https://dashboard.stripe.com/tax/registrations, ${without}`,
    ),
  ];
}
