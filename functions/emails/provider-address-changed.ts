import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

/**
 * Tells the earlier address of an account that the provider now gives another one. Doesn't name the new
 * address: someone else may read this mailbox now.
 */
export const providerAddressChangedEmail = defineEmail({
  name: 'provider-address-changed',
  occasion:
    'a provider such as Google gives another address for your account; this goes to the earlier address',
  compose: ({ at }: Of<'at'>) => ({
    subject: `Your ${product.name} account has another address`,
    preview: 'From now on our emails about your account go there.',
    heading: 'Your address has changed',
    paragraphs: [
      `On ${momentInWords(at)} someone signed in to your ${product.name} account with a provider such as Google, which gave us a different email address. From now on that is the address of your account, and our emails go there, payments included. If you changed the address at the provider, no action is needed.`,
      `If you did not, someone else may be using your account at the provider. Secure it there first, and then write to ${product.supportEmail}.`,
    ],
    closing: 'This is the last message about your account that we send to this address.',
  }),
  examples: ({ moment }) => ({ 'to the earlier address': { at: moment } }),
});
