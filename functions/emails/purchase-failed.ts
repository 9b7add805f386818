import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayOf } from './plan-terms.ts';

export const purchaseFailedEmail = defineEmail({
  name: 'purchase-failed',
  occasion: 'your bank did not send the payment for a plan that you bought',
  compose: ({ siteUrl, name, boughtOn }: Of<'siteUrl' | 'name' | 'boughtOn'>) => ({
    subject: `Your payment for ${product.name} ${name} didn't arrive`,
    preview: `You weren't charged, and ${name} hasn't begun.`,
    heading: "Your payment didn't arrive",
    paragraphs: [
      `Your bank didn't send the payment for ${name} that you made on ${dayOf(boughtOn)}. You weren't charged, and ${name} hasn't begun.`,
      'To buy it, choose it again under Pricing, with another card if you like.',
    ],
    button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
    closing: `If your bank says that you paid, write to ${product.supportEmail}.`,
  }),
  examples: () => ({ 'days later': {} }),
});
