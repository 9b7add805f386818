import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';

/** Acknowledges a withdrawal from the contract. The law asks for the content, the date and the time. */
export const contractWithdrawnEmail = defineEmail({
  name: 'contract-withdrawn',
  occasion: 'you have withdrawn from the contract',
  compose: ({ name, at }: Of<'at' | 'name'>) => ({
    subject: `You withdrew from the contract for ${product.name} ${name}`,
    preview: 'Everything you paid for it is refunded.',
    heading: 'We have received your withdrawal',
    paragraphs: [
      `Your withdrawal from the contract for ${product.name} ${name}, on the page “End your contract”, was received and carried out on ${momentInWords(at)}.`,
      `${name} has ended, and the account is on the Free plan. Everything you paid for this contract is refunded to the card or account that paid. Banks usually show it within ten days. No action needed.`,
    ],
    closing: `Keep this message as your record. If it wasn't you, write to ${product.supportEmail}.`,
  }),
  examples: () => ({ 'to the account': {} }),
});
