import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

/** Goes to both addresses of a change that can't be made any more. */
export const emailNotChangedEmail = defineEmail({
  name: 'email-not-changed',
  occasion: 'another account took the address that you wanted in the meantime; this goes to both addresses',
  compose: ({ siteUrl }: Of<'siteUrl'>) => ({
    subject: `The address of your ${product.name} account stays as it is`,
    preview: 'The new address now belongs to another account.',
    heading: 'Your address stays as it is',
    paragraphs: [
      `You wanted to use another email address for your ${product.name} account. In the meantime that address got an account of its own, so nothing was changed.`,
      'To use it for your account, delete the other account first. Then ask for the change again.',
    ],
    button: { label: 'Open My Account', url: `${siteUrl}/dashboard` },
    closing: `If you didn't make the other account, write to ${product.supportEmail}.`,
  }),
  examples: () => ({ 'to both addresses': {} }),
});
