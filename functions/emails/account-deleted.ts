import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

export const accountDeletedEmail = defineEmail({
  name: 'account-deleted',
  occasion: 'your account has been deleted, by you or because nobody has signed in to it for a year',
  compose: ({ subscriptionEnded, at, wasIdle }: Of<'subscriptionEnded' | 'at' | 'wasIdle'>) => ({
    subject: `Your ${product.name} account was deleted`,
    preview: 'Nothing will be charged again.',
    heading: 'Your account was deleted',
    paragraphs: [
      ...(wasIdle ? ['No one signed in for a year, and we wrote twice to warn you.'] : []),
      `Your ${product.name} account was deleted on ${momentInWords(at)}: your sign-in, name, email address and plan have been removed.`,
      `${subscriptionEnded ? 'Your subscription ended at that moment. ' : ''}Nothing will be charged again, and we keep no card of yours.`,
      "Receipts for past payments are kept by Stripe, our payment provider, for as long as the law requires. If you are on the Windows waitlist, you're still on it; write to us to leave it.",
    ],
    closing: `${wasIdle ? '' : `If you didn't ask for this, write to ${product.supportEmail} right away. `}A deleted account can't be restored, but you can create a new one with the same address.`,
  }),
  examples: () => ({
    'by its owner': {},
    'with a subscription': { subscriptionEnded: true },
    'after a year without a sign-in': { wasIdle: true },
  }),
});
