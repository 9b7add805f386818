import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

/**
 * `code` may be Cognito's placeholder, which must stay unescaped. The mail leaves out the user's name: a
 * stranger may sign up with this address, and could put a link or the placeholder into the name.
 */
export const confirmationEmail = defineEmail({
  name: 'confirmation',
  occasion: 'you have created an account, to ask you to confirm your address',
  compose: ({ siteUrl, email, token, code }: Of<'siteUrl' | 'email' | 'token' | 'code'>) => ({
    subject: `Confirm your email address for ${product.name}`,
    preview: 'Confirm your address, and your account is ready.',
    heading: `Welcome to ${product.name}`,
    paragraphs: [
      `Please confirm that ${email} is yours. Press the button, then confirm on the page that opens.`,
    ],
    button: {
      label: 'Confirm my address',
      url: `${siteUrl}/email-confirmation?email=${encodeURIComponent(email)}#${token}`,
    },
    code,
    // Cognito's sign-up codes are valid for 24 hours, like the link.
    closing: `The link is good for 24 hours. If you didn't create an account with ${product.name}, you can ignore this message, and nothing happens.`,
  }),
  examples: () => ({ 'with a link': {} }),
});
