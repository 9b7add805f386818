import { decidePlan } from '../../../../functions/domain/decide-plan.ts';
import { customerIdOf } from '../../../../functions/domain/plan.ts';
import {
  isPaymentDue,
  renewsBeforeEnd,
  type Subscription,
} from '../../../../functions/domain/subscription.ts';
import { mayWithdraw } from '../../../../functions/domain/withdrawal.ts';
import { cancelPlus } from '../../../../functions/plans/cancel-plus.ts';
import { withdraw } from '../../../../functions/plans/withdraw.ts';
import { withdrawal } from '../../../../schemas/product/product.ts';
import { isPaid } from '../../../../schemas/product/offers.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Answer } from '../answer.ts';
import { findAccount } from '../find-account.ts';
import { momentOfUnix, nameOf, planInWords } from '../in-words.ts';
import type { Tools } from '../tools.ts';

const trigger = 'support';

/**
 * Ends a contract as the user can: cancels the plan to the end of the paid time, or with `refund` withdraws
 * the user from the purchase, which ends Plus at once and refunds it.
 */
export async function end(
  tools: Tools,
  { user, refund }: { user: string; refund: boolean },
): Promise<Answer> {
  const { accounts, planTable, billing, now } = tools;
  const account = await findAccount(accounts, user);
  const row = await planTable.read(account.sub);
  const customer = row && customerIdOf(row);
  const subscriptions = row && customer !== undefined ? await billing.subscriptionsOf(customer, row) : [];
  const { fields, subscription } = row ? decidePlan(row, subscriptions, now) : {};
  if (!row || !fields || !isPaid(fields.plan)) return { lines: [`${nameOf(account)} has no plan to end.`] };
  const what = refund ? withdrawalOf(subscription, row, now) : cancellationOf(fields, subscription);
  if (what === undefined) {
    return { lines: [`${nameOf(account)} has cancelled already: ${planInWords(fields)}.`] };
  }
  const change = {
    action: refund ? 'end --refund' : 'end',
    id: account.sub,
    detail: `${subscription?.id ?? 'without payment'}, before: ${planInWords(fields)}`,
    run: async () => {
      const after = refund
        ? await withdraw(tools, row, now, trigger)
        : (await cancelPlus(tools, row, now, { trigger })).after;
      return [
        `The row now says ${after ? planInWords(after.row) : 'nothing: the account was deleted meanwhile'}. Within an hour, the user is mailed.`,
      ];
    },
  };
  return { lines: [`${nameOf(account)} ${what}`], change };
}

function withdrawalOf(subscription: Subscription | undefined, { id }: UserPlan, now: Date): string {
  if (!subscription || !mayWithdraw(subscription, id, now)) {
    throw new Error(
      `Only a purchase on the site in the last ${withdrawal.days} days can be ended with a refund. Use end, and refund for a charge.`,
    );
  }
  return `would lose Plus at once, and get back everything paid for ${subscription.id}.`;
}

/** Undefined if the plan has an end already. */
function cancellationOf(
  { plan_expires_at: ends }: Pick<UserPlan, 'plan_expires_at'>,
  subscription: Subscription | undefined,
): string | undefined {
  if (!subscription) {
    return ends === undefined ? 'would keep Plus without payment until the end of this month.' : undefined;
  }
  if (!renewsBeforeEnd(subscription)) return undefined;
  return isPaymentDue(subscription)
    ? `would lose Plus at once, since a payment for ${subscription.id} is due. It would no longer be collected.`
    : `would keep Plus until ${momentOfUnix(subscription.currentPeriodEnd)}, when ${subscription.id} ends.`;
}
