import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';
import { waysInSentences } from './ways-in.ts';

/** Goes to both addresses, and names neither. */
export const emailChangedEmail = defineEmail({
  name: 'email-changed',
  occasion: 'the address of your account has changed; this goes to both addresses',
  compose: ({ siteUrl, at, removed }: Of<'at' | 'siteUrl' | 'removed'>) => ({
    subject: `The address of your ${product.name} account has changed`,
    preview: 'As you asked.',
    heading: 'Your address has changed',
    paragraphs: [
      `On ${momentInWords(at)} the email address of your ${product.name} account changed, at the request of someone who was signed in. From now on you sign in with the new address, and our emails and receipts go there.`,
      ...(removed.length > 0
        ? waysInSentences(removed)
        : ['Your password and your other ways to sign in are the same as before.']),
    ],
    button: { label: 'Open My Account', url: `${siteUrl}/dashboard` },
    closing: `If it wasn't you, write to ${product.supportEmail}.`,
  }),
  examples: ({ provider }) => ({
    'to both addresses': {},
    'a provider was taken off': { removed: [provider] },
  }),
});
