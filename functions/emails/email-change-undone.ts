import { product } from '../../schemas/product/product.ts';
import { defineEmail } from './define-email.ts';
import { momentInWords } from './moment.ts';

export const emailChangeUndoneEmail = defineEmail({
  name: 'email-change-undone',
  occasion: "a change of your account's address to yours was undone from the earlier address",
  compose: ({ at }: { at: Date }) => ({
    subject: `The address of a ${product.name} account was changed back`,
    preview: 'This address no longer belongs to the account.',
    heading: 'The address was changed back',
    paragraphs: [
      `On ${momentInWords(at)} someone with access to the mailbox of an earlier address of your ${product.name} account undid the change to this address. The account has the earlier address again, and every session was ended.`,
      'If it was you, the next step is a new password: the link for it went to the earlier address.',
    ],
    closing: `If it was not you, someone else can read the mail of your earlier address. Write to ${product.supportEmail}.`,
  }),
  examples: ({ moment }) => ({ 'to the later address': { at: moment } }),
});
