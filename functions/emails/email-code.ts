import { product } from '../../schemas/product/product.ts';
import { defineEmail } from './define-email.ts';

/**
 * Asks the owner of an address whether an account may have it. Names no account: a stranger may have typed
 * the address.
 */
export const emailCodeEmail = defineEmail({
  name: 'email-code',
  occasion: 'you want to use another address for your account; this goes to the new address',
  compose: ({ code }: { code: string }) => ({
    subject: `Your code for ${product.name}`,
    preview: 'Confirm your new email address.',
    heading: 'Confirm your new address',
    paragraphs: [
      `Someone, hopefully you, wants to use this email address for their ${product.name} account.`,
    ],
    code,
    closing:
      'The code is good for 15 minutes. Do not share it. If you did not ask for it, you can ignore this message: without the code nothing will change.',
  }),
  examples: ({ code }) => ({ 'to the new address': { code } }),
});
