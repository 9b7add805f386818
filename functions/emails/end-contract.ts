import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { notice, type Notice } from './layout.ts';

/** Brings the owner of an account to the page that ends the contract without a sign-in. */
export function endContractEmail({ siteUrl, token }: { siteUrl: string; token: string }): Notice {
  return notice({
    name: 'end-contract',
    subject: `End your ${product.name} contract`,
    preview: 'One link, no sign-in.',
    heading: 'End your contract',
    paragraphs: [
      `Press the button to see your contract for ${product.name} ${plans.plus.name} and to end it. You don't need to sign in. Nothing ends before you press once more on that page.`,
    ],
    button: { label: 'End My Contract', url: `${siteUrl}/end-contract#${token}` },
    closing:
      "The link works for a day. Don't share it. If you did not ask for it, you can ignore this message: nothing was changed.",
  });
}
