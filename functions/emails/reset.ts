import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

/** Closes every mail with a link that opens the account. */
export const KEEP =
  'Keep this message to yourself: for a day, anyone who has it can choose a password for your account.';

/** Links to the page where the user chooses a new password. */
export const resetEmail = defineEmail({
  name: 'reset',
  occasion: 'someone asks for a new password for your account',
  compose: ({ url }: Of<'url'>) => ({
    subject: `Choose a new password for ${product.name}`,
    preview: 'A link to choose a new password.',
    heading: 'Choose a new password',
    paragraphs: [
      `Someone, hopefully you, asked for a new password for your ${product.name} account. Choosing one signs you out everywhere.`,
    ],
    button: { label: 'Choose a new password', url },
    closing:
      "The link works once, for a day. If you didn't ask for it, you can ignore this message: your password stays as it is.",
  }),
  examples: () => ({ 'with a link': {} }),
});
