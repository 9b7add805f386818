import { product } from '../../schemas/product/product.ts';
import { retention } from '../../schemas/product/retention.ts';
import { type ProviderKey, providers } from '../../schemas/product/providers.ts';
import type { EarlierMailbox } from '../domain/waiting-deletion.ts';
import { howToTakeBack } from './earlier-mailbox.ts';
import { defineEmail } from './define-email.ts';
import { momentInWords } from './moment.ts';

/**
 * Tells the owner of an account that a provider was linked to it, and how to take it off. Leaves out the
 * user's name, which comes from the provider's account and can contain a link.
 */
export const providerLinkedEmail = defineEmail({
  name: 'provider-linked',
  occasion: 'a provider such as Google was linked to your account',
  compose: ({
    provider,
    siteUrl,
    token,
    hasPassword,
    at,
    earlier,
  }: {
    provider: ProviderKey;
    siteUrl: string;
    /** Takes the provider off. Stands after `#`, so that it appears in no log and no Referer. */
    token: string;
    /** Whether the account has a password. */
    hasPassword: boolean;
    at: Date;
    /** The reader, if the account has another address by now. */
    earlier?: EarlierMailbox | undefined;
  }) => {
    const { name } = providers[provider];
    const effects = hasPassword
      ? 'It also ends every session and sends you a link for a new password: the current one stops working.'
      : 'It also ends every session. The other ways to sign in still work.';
    return {
      subject: `${name} now opens your ${product.name} account`,
      preview: 'If it was you, there is nothing to do.',
      heading: 'A new way to sign in',
      paragraphs: [
        `On ${momentInWords(at)} someone signed in to ${product.name} with a ${name} account that has ${earlier ? 'the address of your account' : 'this email address'}, and “Continue with ${name}” opens your ${product.name} account from now on. If it was you, there is nothing to do.`,
        earlier
          ? howToTakeBack(earlier)
          : `If it was not you, the button disconnects ${name} again. It works for ${retention.daysToUndo} days. ${effects}`,
      ],
      ...(!earlier && { button: { label: 'It was not me', url: `${siteUrl}/undo-email#${token}` } }),
      closing: earlier
        ? `If that button no longer works, write to ${product.supportEmail}.`
        : `Keep this message to yourself: anyone who has it can do that. Someone who has a ${name} account with your address may read your mail too, so choose a new password for it as well.`,
    };
  },
  examples: ({ siteUrl, earlier, moment, provider, token }) => ({
    'with a password': { siteUrl, provider, token, hasPassword: true, at: moment },
    'without a password': { siteUrl, provider, token, hasPassword: false, at: moment },
    'to an earlier address': { siteUrl, provider, token, hasPassword: true, at: moment, earlier },
  }),
});
