import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

export const endContractEmail = defineEmail({
  name: 'end-contract',
  occasion: 'someone asks to end your contract without signing in',
  compose: ({ siteUrl, token }: Of<'siteUrl' | 'token'>) => ({
    subject: `End your ${product.name} contract`,
    preview: 'One link, no sign-in.',
    heading: 'End your contract',
    paragraphs: [
      `Press the button to see your contract for ${product.name} and to end it. You don't need to sign in. Nothing ends before you press once more on that page.`,
    ],
    button: { label: 'End My Contract', url: `${siteUrl}/end-contract#${token}` },
    closing:
      "The link works for a day. Don't share it. If you didn't ask for it, you can ignore this message: nothing was changed.",
  }),
  examples: () => ({ 'with a link': {} }),
});
