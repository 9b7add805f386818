import { product } from '../../schemas/product/product.ts';
import { defineEmail } from './define-email.ts';

/**
 * Links to the page where the user chooses a new password. Despite their names, `access_token` is the
 * one-time code and `refresh_token` the opaque user name. No session token is sent by mail.
 */
export const resetEmail = defineEmail({
  name: 'reset',
  occasion: 'someone asks for a new password for your account',
  compose: (about: { siteUrl: string; userName: string; code: string }) => {
    const { siteUrl, userName, code } = about;
    return {
      subject: `Choose a new password for ${product.name}`,
      preview: 'A link to choose a new password.',
      heading: 'Choose a new password',
      paragraphs: [`Someone, hopefully you, asked for a new password for your ${product.name} account.`],
      button: {
        label: 'Choose a new password',
        url: `${siteUrl}/reset-password?access_token=${code}&refresh_token=${encodeURIComponent(userName)}`,
      },
      // Cognito's reset codes are valid for one hour.
      closing:
        'The link works once, within an hour. If you did not ask for it, you can ignore this message: your password stays as it is.',
    };
  },
  examples: ({ siteUrl, code }) => ({ 'with a link': { siteUrl, userName: 'a-sub', code } }),
});
