import { product } from '../../schemas/product/product.ts';
import { notice, type Notice } from './layout.ts';
import { momentInWords } from './moment.ts';

/** The last mail to an account. Leaves out the user's name, because a name can contain a link. */
export function accountDeletedEmail({
  subscriptionEnded,
  at,
  wasIdle = false,
}: {
  subscriptionEnded: boolean;
  at: Date;
  /** Whether the account was deleted because nobody had signed in for a year. @default false */
  wasIdle?: boolean;
}): Notice {
  return notice({
    name: 'account-deleted',
    subject: `Your ${product.name} account was deleted`,
    preview: 'Nothing will be charged again.',
    heading: 'Your account was deleted',
    paragraphs: [
      ...(wasIdle ? ['Nobody had signed in for a year, and we had written twice before.'] : []),
      `Your ${product.name} account was deleted on ${momentInWords(at)}: your sign-in, name, email address and plan have been removed.`,
      `${subscriptionEnded ? 'Your Plus subscription ended at that moment. ' : ''}Nothing will be charged again, and no card of yours is kept.`,
      'Receipts for past payments are kept by Stripe, our payment provider, for as long as the law requires. If you are on the Windows waitlist, your place there stays; write to us to give it up.',
    ],
    closing: `${wasIdle ? '' : `If you did not ask for this, write to ${product.supportEmail} as soon as you can. `}A deleted account cannot be restored, but you can open a new one with the same address.`,
  });
}
