import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

export const newSignInEmail = defineEmail({
  name: 'new-sign-in',
  occasion: "someone has signed in to your account with a browser that it didn't have before",
  compose: ({ kind, siteUrl, hasPassword, at }: Of<'at' | 'siteUrl' | 'kind' | 'hasPassword'>) => {
    const remedy = hasPassword
      ? `If it wasn't you, press the button and choose a new password now: that signs you out everywhere. ${siteUrl}/settings lists where you're signed in.`
      : "If it wasn't you, press the button: under “Where you're signed in” you can sign out of that browser, or everywhere. Then change the password of the provider that you sign in with.";
    return {
      subject: `New sign-in to your ${product.name} account`,
      preview: `${kind}. If that was you, no action is needed.`,
      heading: 'A new sign-in',
      paragraphs: [
        `On ${momentInWords(at)} someone signed in to your ${product.name} account from a new browser${kind.startsWith('A browser') ? kind.slice('A browser'.length) : `: ${kind}`}. If that was you, no action is needed. (If you cleared your cookies, we see your browser as new.)`,
        remedy,
      ],
      button: { label: "This wasn't me", url: `${siteUrl}${hasPassword ? '/forgot-password' : '/settings'}` },
      closing: `Then write to ${product.supportEmail}, so that we can look into it with you.`,
    };
  },
  examples: () => ({
    'with a password': {},
    'without a password': { kind: 'A browser', hasPassword: false },
  }),
});
