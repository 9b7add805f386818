import { product } from '../../schemas/product/product.ts';
import { retention } from '../../schemas/product/retention.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

/** Doesn't name the new address: someone else may read this mailbox. */
export const emailChangeRequestedEmail = defineEmail({
  name: 'email-change-requested',
  occasion: 'someone wants to change the address of your account; this goes to the present address',
  compose: ({ siteUrl, token, at, byProvider }: Of<'at' | 'siteUrl' | 'token' | 'byProvider'>) => ({
    subject: `Change the address of your ${product.name} account?`,
    preview: 'Approve it, or stop it. Nothing has changed yet.',
    heading: 'A new address for your account',
    paragraphs: [
      `On ${momentInWords(at)} ${byProvider ? `someone signed in to your ${product.name} account with a provider such as Google, which gave us another email address` : `someone who is signed in to your ${product.name} account asked to change its email address`}. Nothing has changed yet.`,
      'Press the button, then approve the change or stop it on the page that opens. Stopping it signs you out everywhere and takes back what was asked for before.',
      `If you do neither, the address changes after ${retention.daysToApprove} days, once the new address is confirmed.`,
    ],
    button: { label: 'Approve or stop', url: `${siteUrl}/address-change?mailbox=old#${token}` },
    closing: `Keep this message to yourself: anyone who has it can decide. It works for ${retention.daysToApprove} days.`,
  }),
  examples: () => ({ 'to the present address': {}, 'a provider gives the address': { byProvider: true } }),
});
