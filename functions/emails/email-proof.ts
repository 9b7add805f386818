import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

/** Names no account: a stranger may have typed the address. */
export const emailProofEmail = defineEmail({
  name: 'email-proof',
  occasion: 'you want to use another address for your account; this goes to the new address',
  compose: ({ siteUrl, token }: Of<'siteUrl' | 'token'>) => ({
    subject: `Confirm your new address for ${product.name}`,
    preview: 'Confirm your new email address.',
    heading: 'Confirm your new address',
    paragraphs: [
      `Someone, hopefully you, wants to use this email address for their ${product.name} account. Press the button, then confirm on the page that opens.`,
    ],
    button: { label: 'Confirm my new address', url: `${siteUrl}/address-change?mailbox=new#${token}` },
    closing:
      "The link works for a day. If you didn't ask for it, you can ignore this message, and nothing will change.",
  }),
  examples: () => ({ 'to the new address': {} }),
});
