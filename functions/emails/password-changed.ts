import { product } from '../../schemas/product/product.ts';
import type { EarlierMailbox } from '../domain/waiting-deletion.ts';
import { howToTakeBack } from './earlier-mailbox.ts';
import { defineEmail } from './define-email.ts';
import { momentInWords } from './moment.ts';

/**
 * Tells the owner of an account that its password was changed or reset. Leaves out the user's name, because a
 * name can contain a link.
 */
export const passwordChangedEmail = defineEmail({
  name: 'password-changed',
  occasion: 'your password was changed or reset',
  compose: ({
    siteUrl,
    at,
    sessionsEnded = false,
    earlier,
  }: {
    siteUrl: string;
    at: Date;
    /** Whether all earlier sessions have certainly ended. @default false */
    sessionsEnded?: boolean;
    /** The reader, if the account has another address by now. */
    earlier?: EarlierMailbox | undefined;
  }) => ({
    subject: `Your ${product.name} password was changed`,
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your ${product.name} account was changed on ${momentInWords(at)}.${sessionsEnded ? ' Every other session of the account was ended.' : ''}`,
      earlier
        ? howToTakeBack(earlier)
        : 'If it was not you, press the button and choose a new one now: that ends every session, and the link for it comes to this address and to no other.',
      'If it was you, there is nothing to do.',
    ],
    ...(!earlier && { button: { label: 'It was not me', url: `${siteUrl}/forgot-password` } }),
    closing: earlier
      ? `If that button no longer works, write to ${product.supportEmail}.`
      : `Then write to ${product.supportEmail}, so that we can look into it with you.`,
  }),
  examples: ({ siteUrl, earlier, moment }) => ({
    'sessions may live on': { siteUrl, at: moment },
    'sessions have ended': { siteUrl, at: moment, sessionsEnded: true },
    'to an earlier address': { siteUrl, at: moment, earlier },
  }),
});
