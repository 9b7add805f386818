import { product } from '../../schemas/product/product.ts';
import type { EarlierMailbox } from '../domain/waiting-deletion.ts';
import { defineEmail } from './define-email.ts';
import { dayInWords, momentInWords } from './moment.ts';

/**
 * Announces a deletion that waits, to an address that can take it back. Leaves out the user's name, because a
 * name can contain a link.
 */
export const accountDeletionEmail = defineEmail({
  name: 'account-deletion',
  occasion: 'your account waits to be deleted, because its address was changed less than a week before',
  compose: ({
    siteUrl,
    token,
    at,
    dueAt,
    earlier,
  }: {
    siteUrl: string;
    /** Takes the deletion back. Stands after `#`, so that it appears in no log and no Referer. */
    token: string;
    /** Time of the request. */
    at: Date;
    dueAt: Date;
    /** The reader, if the account has another address by now. */
    earlier?: EarlierMailbox | undefined;
  }) => {
    const moment = momentInWords(at);
    const due = momentInWords(dueAt);
    return {
      subject: `Your ${product.name} account will be deleted on ${dayInWords(dueAt)}`,
      preview: earlier ? 'If it was not you, take it back.' : 'Until then you can keep it.',
      heading: 'Your account is about to be deleted',
      paragraphs: [
        earlier
          ? `On ${moment} someone asked to delete the ${product.name} account that had this address until ${dayInWords(earlier.replacedAt)}. If it was not you, press the button before ${due}: the account stays, with this address and everything in it.`
          : `On ${moment} someone asked to delete your ${product.name} account. It will be gone on ${due}. If it was not you, or if you want to keep the account, press the button before that.`,
        `${earlier ? 'The deletion' : 'It'} waits because the address of the account was changed less than a week ago, and the earlier address can still undo that. Until then nobody can sign in, and nothing is lost.`,
        'Nothing more is charged: a subscription ends with the period you have paid for. If you decide to keep the account before then, the subscription continues.',
      ],
      button: {
        label: earlier ? 'It was not me' : 'Keep my account',
        url: `${siteUrl}/undo-email#${token}`,
      },
      closing:
        'The button also ends every session and sends a link for a new password to this address. Keep this message to yourself: anyone who has it can do that. If you do want the account deleted, there is nothing to do.',
    };
  },
  examples: ({ siteUrl, earlier, later, moment, token }) => ({
    'to the account': { siteUrl, token, at: moment, dueAt: later },
    'to an earlier address': { siteUrl, token, at: moment, dueAt: later, earlier },
  }),
});
