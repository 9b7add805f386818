import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayInWords } from './moment.ts';

export const accountIdleEmail = defineEmail({
  name: 'account-idle',
  occasion: 'nobody has signed in to your account for eleven months, and again a week before it is deleted',
  compose: ({ siteUrl, user, deletionAt, isLast }: Of<'siteUrl' | 'user' | 'deletionAt' | 'isLast'>) => {
    const day = dayInWords(deletionAt);
    return {
      user,
      subject: isLast
        ? `Last notice: your ${product.name} account will be deleted on ${day}`
        : `Your ${product.name} account will be deleted on ${day}`,
      preview: 'To keep it, sign in once on our site.',
      heading: 'Your account is about to be deleted',
      paragraphs: [
        `No one has signed in to your ${product.name} account for almost a year. As our terms say, we delete such accounts, along with everything stored for them.`,
        `To keep it, sign in once on our site before ${day}. That's all it takes.`,
        isLast
          ? 'This is the last email before the deletion.'
          : 'If you no longer need the account, no action is needed. We will write once more, a week before the deletion.',
      ],
      button: { label: 'Sign In', url: `${siteUrl}/login` },
      closing: `The account is on the Free plan, and nothing is charged for it. A deleted account can't be restored, but you can create a new one with the same address.`,
    };
  },
  examples: () => ({ 'the first': {}, 'the last': { isLast: true } }),
});
