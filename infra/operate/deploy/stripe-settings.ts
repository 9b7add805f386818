import { Stripe } from 'stripe';
import { type Finding, note, warning } from './check.ts';

const FIX = 'See "Change Stripe\'s settings" in .github/deploying.md.';
// Days. Stripe's choices are 3, 7, 15, 30 and 45.
const ANNOUNCED_BEFORE = 14;

/**
 * The findings about the account's settings that decide charges and mails, as far as Stripe's objects show
 * them. No call of the API reads the settings themselves.
 */
export async function settingFindings(stripe: Stripe): Promise<Finding[]> {
  const [upcoming, unpaid, charges] = await Promise.all([
    stripe.events.list({ type: 'invoice.upcoming', limit: 1 }),
    stripe.subscriptions.list({ status: 'unpaid', limit: 1 }),
    stripe.charges.list({ limit: 1 }),
  ]);
  return findingsIn(upcoming.data[0], unpaid.data[0], charges.data[0]);
}

/** `upcoming`: the newest event of an upcoming renewal. `charge`: the newest charge. */
export function findingsIn(
  upcoming: Pick<Stripe.Event, 'created' | 'api_version' | 'data'> | undefined,
  unpaid: Pick<Stripe.Subscription, 'id'> | undefined,
  charge: Pick<Stripe.Charge, 'id' | 'livemode' | 'receipt_number'> | undefined,
): Finding[] {
  const says: string[] = [];
  const unread = ['whether a lost dispute cancels the subscription', 'which other mails Stripe sends'];
  if (upcoming) {
    const { period_end: renewal } = upcoming.data.object as Stripe.Invoice;
    const days = Math.round((renewal - upcoming.created) / 86_400);
    if (days < ANNOUNCED_BEFORE) {
      says.push(`Stripe announces renewals ${days} days before, too late to mail a higher charge in time.`);
    }
    const version = upcoming.api_version ?? '';
    if (version.slice(0, 10) < Stripe.API_VERSION.slice(0, 10)) {
      says.push(
        `The account's API version is ${version}, and the event catch-up needs ${Stripe.API_VERSION}.`,
      );
    }
  } else {
    unread.push("how long before a renewal it is announced, and the account's API version (no renewal was)");
  }
  if (unpaid) says.push(`Stripe leaves ${unpaid.id} unpaid after the last try, and should cancel it.`);
  else unread.push('what happens after the last try of a payment');
  // "Transaction number that appears on email receipts [...] null until a receipt has been sent."
  if (charge?.livemode && charge.receipt_number !== null) {
    says.push(`Stripe has mailed a receipt for ${charge.id}, and so do our functions.`);
  }
  return [
    ...says.map((each) => warning(each, FIX)),
    note(`At Stripe it could not be read: ${unread.join('; ')}.`, FIX),
  ];
}
