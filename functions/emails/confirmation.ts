import { product } from '../../schemas/product.ts';
import { compose, type Email } from './layout.ts';

/**
 * Asks a new account to confirm its address. `code` may be Cognito's placeholder: it goes into link and text
 * untouched, because Cognito looks for it to the letter. No name is in it: whoever signs up with somebody else's address chooses
 * it, and could put a link there, or the placeholder, into a mail of ours.
 */
export function confirmationEmail(account: { siteUrl: string; email: string; code: string }): Email {
  const { siteUrl, email, code } = account;
  return compose({
    subject: `Confirm your e-mail address for ${product.name}`,
    preview: 'One press and your account is ready.',
    heading: `Welcome to ${product.name}`,
    paragraphs: [
      `Please confirm that ${email} is yours. The button opens a page that asks you to press once more, so that nothing is confirmed behind your back.`,
    ],
    button: {
      label: 'Confirm my address',
      url: `${siteUrl}/email-confirmation?email=${encodeURIComponent(email)}&code=${code}`,
    },
    code,
    // Cognito keeps a sign-up code for 24 hours.
    closing: `The code is good for 24 hours. If you did not create an account with ${product.name}, you can leave this message alone: nothing happens without you.`,
  });
}
