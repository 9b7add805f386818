import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { notice, type Notice } from './layout.ts';
import { dayOf } from './plus-terms.ts';

const { name } = plans.plus;

/** Tells a user that support has given Plus without a payment. */
export function complimentaryPlanEmail({
  siteUrl,
  ends,
}: {
  siteUrl: string;
  /** ISO 8601. Undefined without an end. */
  ends: string | undefined;
}): Notice {
  const until = ends === undefined ? '' : ` until ${dayOf(ends)}`;
  return notice({
    name: 'complimentary-plan',
    subject: `You have ${product.name} ${name}${until}`,
    preview: 'It costs you nothing.',
    heading: `${name} is yours${until}`,
    paragraphs: [
      `There is nothing to do: ${name} works wherever you are signed in to ${product.name}, and costs you nothing.`,
      ends === undefined
        ? `It does not expire. If you do not want it, cancel it at ${siteUrl}/cancel.`
        : `It ends on ${dayOf(ends)}, and nothing is charged then.`,
    ],
    button: { label: 'Open my dashboard', url: `${siteUrl}/dashboard` },
    closing: `If you did not expect this, write to ${product.supportEmail}.`,
  });
}
