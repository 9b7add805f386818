import { product } from '../../schemas/product/product.ts';
import { retention } from '../../schemas/product/retention.ts';
import { defineEmail } from './define-email.ts';
import { momentInWords } from './moment.ts';

export const EMAIL_CHANGED_SUBJECT = `The address of your ${product.name} account is being changed`;

/**
 * Tells the earlier address of an account, in advance, that another address replaces it. Doesn't name the new
 * address: someone else may read this mailbox now.
 */
export const emailChangedEmail = defineEmail({
  name: 'email-changed',
  occasion: 'your account is about to get another address; this goes to the earlier address',
  compose: ({
    siteUrl,
    token,
    at,
  }: {
    siteUrl: string;
    /** Restores the address. Stands after `#`, so that it appears in no log and no Referer. */
    token: string;
    at: Date;
  }) => ({
    subject: EMAIL_CHANGED_SUBJECT,
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your address is being changed',
    paragraphs: [
      `The email address of your ${product.name} account is being changed from this address to another one, as someone asked on ${momentInWords(at)}. If it was not you, take your account back with the button.`,
      `It opens a page that makes this the account’s address again, ends every session, and lets you choose a new password. It works for ${retention.daysToUndo} days, whatever is changed in the meantime, even if someone deletes the account. If it was you, there is nothing to do.`,
    ],
    button: { label: 'It was not me', url: `${siteUrl}/undo-email#${token}` },
    closing: `Keep this message to yourself: anyone who has it can undo the change. After seven days, write to ${product.supportEmail}.`,
  }),
  examples: ({ siteUrl, moment, token }) => ({ 'to the earlier address': { siteUrl, token, at: moment } }),
});
