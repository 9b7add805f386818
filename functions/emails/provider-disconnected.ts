import { product } from '../../schemas/product/product.ts';
import { providers } from '../../schemas/product/providers.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';
import { KEEP } from './reset.ts';

export const providerDisconnectedEmail = defineEmail({
  name: 'provider-disconnected',
  occasion: 'a provider such as Google was disconnected from your account',
  compose: ({ provider, url, hasPassword, at }: Of<'at' | 'hasPassword' | 'url' | 'provider'>) => {
    const { name } = providers[provider];
    return {
      subject: `${name} no longer opens your ${product.name} account`,
      preview: 'If that was you, no action is needed.',
      heading: 'A way to sign in was disconnected',
      paragraphs: [
        `On ${momentInWords(at)} ${name} was disconnected from your ${product.name} account, and the account was signed out everywhere. If that was you, no action is needed.`,
        `If it wasn't you, press the button${hasPassword ? ' and choose a new password: that signs you out everywhere' : ''}. In your settings you can connect ${name} again.`,
      ],
      button: { label: "This wasn't me", url },
      closing: `If you can't get in, write to ${product.supportEmail}.${hasPassword ? ` ${KEEP}` : ''}`,
    };
  },
  examples: ({ siteUrl }) => ({
    'with a password': {},
    'without a password': { url: `${siteUrl}/settings`, hasPassword: false },
  }),
});
