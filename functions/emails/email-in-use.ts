import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

/** Sent in place of a code, so that only the mailbox's owner learns that the account exists. */
export const emailInUseEmail = defineEmail({
  name: 'email-in-use',
  occasion: 'someone wants to use your address for another account',
  compose: ({ siteUrl }: Of<'siteUrl'>) => ({
    subject: `You already have a ${product.name} account`,
    preview: 'Nothing was changed.',
    heading: 'This address already has an account',
    paragraphs: [
      `Someone, perhaps you, asked to use this email address for another ${product.name} account. It already belongs to your account, so nothing was changed.`,
      'If it was you, sign in with this address. To use it for the other account, delete this one first.',
    ],
    button: { label: 'Sign In', url: `${siteUrl}/login` },
    closing: "If it wasn't you, you can ignore this message: your account stays as it is.",
  }),
  examples: () => ({ 'to the owner of the address': {} }),
});
