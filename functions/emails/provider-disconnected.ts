import { product } from '../../schemas/product/product.ts';
import { type ProviderKey, providers } from '../../schemas/product/providers.ts';
import type { EarlierMailbox } from '../domain/waiting-deletion.ts';
import { howToTakeBack } from './earlier-mailbox.ts';
import { defineEmail } from './define-email.ts';
import { momentInWords } from './moment.ts';

export const providerDisconnectedEmail = defineEmail({
  name: 'provider-disconnected',
  occasion: 'a provider such as Google was disconnected from your account',
  compose: ({
    provider,
    siteUrl,
    at,
    earlier,
  }: {
    provider: ProviderKey;
    siteUrl: string;
    at: Date;
    /** The reader, if the account has another address by now. */
    earlier?: EarlierMailbox | undefined;
  }) => {
    const { name } = providers[provider];
    return {
      subject: `${name} no longer opens your ${product.name} account`,
      preview: 'If it was you, there is nothing to do.',
      heading: 'A way to sign in was disconnected',
      paragraphs: [
        `On ${momentInWords(at)} ${name} was disconnected from your ${product.name} account, and every session of the account was ended. If it was you, there is nothing to do.`,
        earlier
          ? howToTakeBack(earlier)
          : `If it was not you, sign in another way and change your password if you have one. On the dashboard you can connect ${name} again.`,
      ],
      ...(!earlier && { button: { label: 'Sign In', url: `${siteUrl}/login` } }),
      closing: earlier
        ? `If that button no longer works, write to ${product.supportEmail}.`
        : `If you can't get in, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, earlier, moment, provider }) => ({
    'to the account': { siteUrl, provider, at: moment },
    'to an earlier address': { siteUrl, provider, at: moment, earlier },
  }),
});
