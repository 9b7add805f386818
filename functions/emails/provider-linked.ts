import { product } from '../../schemas/product/product.ts';
import { providers } from '../../schemas/product/providers.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';
import { KEEP } from './reset.ts';

export const providerLinkedEmail = defineEmail({
  name: 'provider-linked',
  occasion: 'a provider such as Google was linked to your account',
  compose: ({ provider, url, hasPassword, at }: Of<'at' | 'hasPassword' | 'url' | 'provider'>) => {
    const { name } = providers[provider];
    const remedy = hasPassword
      ? `press the button and choose a new password: this disconnects ${name} and signs you out everywhere.`
      : `press the button: under “How you sign in” you can disconnect ${name}, which signs you out everywhere.`;
    return {
      subject: `${name} now opens your ${product.name} account`,
      preview: 'If that was you, no action is needed.',
      heading: 'A new way to sign in',
      paragraphs: [
        `On ${momentInWords(at)} someone signed in to ${product.name} with a ${name} account that has this email address, which is your ${product.name} account's. You can now sign in with ${name}. If that was you, no action is needed.`,
        `If it wasn't you, ${remedy}`,
      ],
      button: { label: "This wasn't me", url },
      closing: `Someone who has a ${name} account with your address may read your mail too, so choose a new password for it as well.${hasPassword ? ` ${KEEP}` : ''}`,
    };
  },
  examples: ({ siteUrl }) => ({
    'with a password': {},
    'without a password': { url: `${siteUrl}/settings`, hasPassword: false },
  }),
});
