import { product } from '../../schemas/product.ts';
import { compose, type Notice } from './layout.ts';
import { momentInWords } from './moment.ts';

/**
 * Tells the earlier address of an account that it is being replaced, before it is. It doesn't name the new
 * address: the mailbox may have another reader by now.
 */
export function emailChangedEmail({
  siteUrl,
  token,
  at,
}: {
  siteUrl: string;
  /** Sets the address back. After `#`, it gets into no log and no Referer. */
  token: string;
  at: Date;
}): Notice {
  const email = compose({
    subject: `The address of your ${product.name} account is being changed`,
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your address is being changed',
    paragraphs: [
      `The e-mail address of your ${product.name} account is being changed from this address to another one, as somebody asked on ${momentInWords(at)}. If it was you, there is nothing to do.`,
      'If it was not you, take your account back: the button opens a page that makes this its address again, ends every session, and lets you choose a new password. It works for seven days, whatever is changed in the meantime.',
    ],
    button: { label: 'It was not me', url: `${siteUrl}/undo-email#${token}` },
    closing: `Keep this message to yourself: whoever has it can undo the change. After seven days, write to ${product.supportEmail}.`,
  });
  return { name: 'email-changed', ...email };
}
