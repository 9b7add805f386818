import { statesOf } from '../../../functions/domain/billing-state.ts';
import { isToMove, noticeEnd } from '../../../functions/domain/new-price.ts';
import {
  isEntitling,
  isPaymentDue,
  renewsBeforeEnd,
  type Subscription,
} from '../../../functions/domain/subscription.ts';
import { isoFromUnix } from '../../../functions/domain/unix-time.ts';
import type { NewPrice } from '../../../schemas/rows/billing-state.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';

/** The standings of a subscription in a change of price, in the words of the output. */
export const standings = {
  'at-price': 'have the new price',
  'to-tell': 'are to be told',
  announced: 'are announced and not mailed: the next run of billing-tasks mails those that are charged next',
  waits: 'are told, and their notice still runs',
  'to-move': 'are told, and may be moved',
  later: 'are told, and are cancelled, paused or have a payment due: run this again later',
  bounced: 'were mailed, and the mail bounced: they keep their price until a mail arrives',
  'other-terms': 'have another currency, interval or arrangement: they are left to you',
} as const;
export type PayerGroup = keyof typeof standings;

/** Undefined for a subscription that gives no Plus. */
export function payerGroup(
  row: UserPlan,
  subscription: Subscription,
  price: NewPrice,
  now: Date,
): PayerGroup | undefined {
  const { amount, currency, interval } = subscription;
  if (!isEntitling(subscription)) return undefined;
  if (amount === price.amount && currency === price.currency && interval === price.interval) {
    return 'at-price';
  }
  if (!isToMove(subscription, price)) return 'other-terms';
  const { seen, told } = statesOf(row) ?? {};
  if (seen?.newPrice?.id !== price.id) return 'to-tell';
  const isTold = told?.newPrice?.announcedAt === seen.newPrice.announcedAt;
  const toldAt = isTold ? told.newPrice?.toldAt : undefined;
  if (toldAt === undefined) return 'announced';
  if ((row.price_notice_bounced_at ?? '') >= isoFromUnix(toldAt)) return 'bounced';
  if (subscription.collectionPaused || isPaymentDue(subscription) || !renewsBeforeEnd(subscription)) {
    return 'later';
  }
  return noticeEnd(toldAt) * 1000 > now.getTime() ? 'waits' : 'to-move';
}
