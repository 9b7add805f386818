import { product } from '../../schemas/product.ts';
import { notice, type Notice } from './layout.ts';
import { momentInWords } from './moment.ts';

/**
 * Tells the owner of an account that its password was changed or reset. Leaves out the user's name, because a
 * name can contain a link.
 */
export function passwordChangedEmail({
  siteUrl,
  at,
  sessionsEnded = false,
}: {
  siteUrl: string;
  at: Date;
  /** Whether all earlier sessions have certainly ended. @default false */
  sessionsEnded?: boolean;
}): Notice {
  return notice({
    name: 'password-changed',
    subject: `Your ${product.name} password was changed`,
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your ${product.name} account was changed on ${momentInWords(at)}. If it was you, there is nothing to do.`,
      ...(sessionsEnded ? ['Every other session of the account was ended.'] : []),
      'If it was not you, choose a new password now. The link for it comes to this address and to no other.',
    ],
    button: { label: 'It was not me', url: `${siteUrl}/forgot-password` },
    closing: `Then write to ${product.supportEmail}, so that we can look into it with you.`,
  });
}
