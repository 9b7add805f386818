import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { EarlierMailbox } from '../domain/waiting-deletion.ts';
import { howToTakeBack } from './earlier-mailbox.ts';
import { notice, type Notice } from './layout.ts';
import { dayInWords, momentInWords } from './moment.ts';

const { name } = plans.plus;

/** Tells the owner of an account that its Plus was cancelled, and how to go on with it. */
export function subscriptionCancelledEmail({
  siteUrl,
  lastsUntil,
  complimentary = false,
  earlier,
}: {
  siteUrl: string;
  /** Undefined if Plus ended at once: a payment was due. */
  lastsUntil: Date | undefined;
  /** Whether Plus cost nothing. @default false */
  complimentary?: boolean;
  /** The reader, if the account has another address by now. */
  earlier?: EarlierMailbox | undefined;
}): Notice {
  const until = lastsUntil && dayInWords(lastsUntil);
  const wayBack = !until
    ? `To have it again, choose ${name} under Pricing.`
    : complimentary
      ? `To have it for longer, write to ${product.supportEmail}.`
      : `To keep it, press “Renew Plan” under Pricing before that day: nothing is charged until then.`;
  return notice({
    name: 'subscription-cancelled',
    subject: `Your ${product.name} ${name} was cancelled`,
    preview: until ? `It lasts until ${until}.` : 'It has ended. Nothing is charged.',
    heading: `Your ${name} was cancelled`,
    paragraphs: [
      `If you cancelled ${name} on your ${product.name} account, there is nothing to do: it ${until ? `lasts until ${until}` : 'has ended'}.`,
      ...(until
        ? [`After that day the account is on the ${plans.free.name} plan, and nothing more is charged.`]
        : [
            `A payment was due, and it will not be collected. The account is on the ${plans.free.name} plan.`,
          ]),
      earlier ? howToTakeBack(earlier) : wayBack,
    ],
    ...(!earlier && { button: { label: 'Open Pricing', url: `${siteUrl}/pricing` } }),
    closing: earlier
      ? `If that button no longer works, write to ${product.supportEmail}.`
      : `If it was not you, choose a new password on your dashboard, which ends every other session, and write to ${product.supportEmail}.`,
  });
}

/** Acknowledges a withdrawal from the contract. The law asks for the content, the date and the time. */
export function contractWithdrawnEmail({
  at,
  earlier,
}: {
  at: Date;
  /** The reader, if the account has another address by now. */
  earlier?: EarlierMailbox | undefined;
}): Notice {
  return notice({
    name: 'subscription-cancelled',
    subject: `You withdrew from your ${product.name} ${name} contract`,
    preview: 'Everything you paid for it is refunded.',
    heading: 'We have received your withdrawal',
    paragraphs: [
      `There is nothing more to do. Your withdrawal from the contract for ${product.name} ${name}, on the page “End your contract”, was received and carried out on ${momentInWords(at)}.`,
      `${name} has ended, and the account is on the Free plan. Everything you paid for this contract is refunded to the card or account that paid. Banks usually show it within ten days.`,
      ...(earlier ? [howToTakeBack(earlier)] : []),
    ],
    closing: `Keep this message as your record. If it was not you, write to ${product.supportEmail}.`,
  });
}
