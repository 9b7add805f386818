import { product } from '../../schemas/product/product.ts';
import { retention } from '../../schemas/product/retention.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

/**
 * Asks the present address of an account whether another may replace it. Doesn't name the new address:
 * someone else may read this mailbox.
 */
export const emailChangeRequestedEmail = defineEmail({
  name: 'email-change-requested',
  occasion: 'someone wants to change the address of your account; this goes to the present address',
  compose: ({ siteUrl, token, at }: Of<'at' | 'siteUrl' | 'token'>) => ({
    subject: `Change the address of your ${product.name} account?`,
    preview: 'Approve it, or stop it. Nothing has changed yet.',
    heading: 'A new address for your account',
    paragraphs: [
      `On ${momentInWords(at)} someone who is signed in to your ${product.name} account asked to use another email address in place of this one. Nothing has changed yet.`,
      'Press the button, then approve the change or stop it on the page that opens. Stopping it ends every session and sends you a link for a new password.',
      `If you do neither, the address changes after ${retention.daysToApprove} days, once the new mailbox has confirmed itself.`,
    ],
    button: { label: 'Approve or stop', url: `${siteUrl}/address-change?mailbox=old#${token}` },
    closing: `Keep this message to yourself: anyone who has it can decide. It works for ${retention.daysToApprove} days.`,
  }),
  examples: ({ siteUrl, moment, token }) => ({ 'to the present address': { siteUrl, token, at: moment } }),
});
