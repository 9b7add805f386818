import { product } from '../../schemas/product.ts';
import { compose, type Email } from './layout.ts';

/**
 * Leads to the page where a new password is chosen. The two parameters bear the specification's names; they carry the
 * one-time code and the account's opaque user name. No session token travels by mail.
 */
export function resetEmail({
  siteUrl,
  userName,
  code,
}: {
  siteUrl: string;
  userName: string;
  code: string;
}): Email {
  return compose({
    subject: `Choose a new password for ${product.name}`,
    preview: 'A link to choose a new password.',
    heading: 'Choose a new password',
    paragraphs: [`Somebody, hopefully you, asked for a new password for your ${product.name} account.`],
    button: {
      label: 'Choose a new password',
      url: `${siteUrl}/reset-password?access_token=${code}&refresh_token=${encodeURIComponent(userName)}`,
    },
    // Cognito keeps a reset code for one hour.
    closing:
      'The link works once and for one hour. If you did not ask for it, leave this message alone: your password stays as it is.',
  });
}
