import { product } from '../../schemas/product.ts';
import type { Provider } from '../../schemas/providers.ts';
import { notice, type Notice } from './layout.ts';
import { momentInWords } from './moment.ts';

/**
 * Tells the owner of an account that a provider was linked to it. Leaves out the user's name, which comes
 * from the provider's account and can contain a link.
 */
export function providerLinkedEmail(about: { provider: Provider; siteUrl: string; at: Date }): Notice {
  const { provider, siteUrl, at } = about;
  return notice({
    name: 'provider-linked',
    subject: `${provider} now opens your ${product.name} account`,
    preview: 'If it was you, there is nothing to do.',
    heading: 'A new way to sign in',
    paragraphs: [
      `On ${momentInWords(at)} someone signed in to ${product.name} with a ${provider} account that has this e-mail address, verified by ${provider}. From now on “Continue with ${provider}” opens your ${product.name} account, in addition to the ways you had before. If it was you, there is nothing to do.`,
      'If it was not you, sign out everywhere on your dashboard and, if your account has a password, choose a new one there.',
    ],
    button: { label: 'Open My Dashboard', url: `${siteUrl}/dashboard` },
    closing: `Then write to ${product.supportEmail}: only we can take ${provider} off your account again. Someone who has a ${provider} account with your address may read your mail too, so choose a new password for it as well.`,
  });
}
