import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

/** Goes to both addresses, and names neither. */
export const emailChangedEmail = defineEmail({
  name: 'email-changed',
  occasion: 'the address of your account has changed; this goes to both addresses',
  compose: ({ siteUrl, at }: Of<'at' | 'siteUrl'>) => ({
    subject: `The address of your ${product.name} account has changed`,
    preview: 'As you asked.',
    heading: 'Your address has changed',
    paragraphs: [
      `On ${momentInWords(at)} the email address of your ${product.name} account changed, at the request of someone who was signed in. From now on you sign in with the new address, and our emails and receipts go there.`,
      'Your password and your other ways to sign in are the same as before.',
    ],
    button: { label: 'Open My Account', url: `${siteUrl}/dashboard` },
    closing: `If it was not you, write to ${product.supportEmail}.`,
  }),
  examples: ({ siteUrl, moment }) => ({ 'to both addresses': { siteUrl, at: moment } }),
});
