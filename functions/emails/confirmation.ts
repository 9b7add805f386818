import { product } from '../../schemas/product/product.ts';
import { defineEmail } from './define-email.ts';

/**
 * Asks the owner of a new account to confirm the address. `code` may be Cognito's placeholder, which must
 * stay unescaped in link and text. The mail leaves out the user's name: a stranger may sign up with this
 * address, and could put a link or the placeholder into the name.
 */
export const confirmationEmail = defineEmail({
  name: 'confirmation',
  occasion: 'you have created an account, to ask you to confirm your address',
  compose: (account: { siteUrl: string; email: string; code: string }) => {
    const { siteUrl, email, code } = account;
    return {
      subject: `Confirm your email address for ${product.name}`,
      preview: 'Confirm your address, and your account is ready.',
      heading: `Welcome to ${product.name}`,
      paragraphs: [
        `Please confirm that ${email} is yours. The button opens a page where you press once more to confirm it.`,
      ],
      button: {
        label: 'Confirm my address',
        url: `${siteUrl}/email-confirmation?email=${encodeURIComponent(email)}&code=${code}`,
      },
      code,
      // Cognito's sign-up codes are valid for 24 hours.
      closing: `The code is good for 24 hours. If you did not create an account with ${product.name}, you can ignore this message: without the code no account will be opened.`,
    };
  },
  examples: ({ siteUrl, code }) => ({ 'with a code': { siteUrl, email: 'ada@example.com', code } }),
});
