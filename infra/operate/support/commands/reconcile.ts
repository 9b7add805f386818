import { decidePlan, duplicatesIn } from '../../../../functions/domain/decide-plan.ts';
import { customerIdOf, isSamePlan } from '../../../../functions/domain/plan.ts';
import { reconcile as reconcilePlan } from '../../../../functions/plans/reconcile.ts';
import { areSettled } from '../../../../functions/plans/settle-subscriptions.ts';
import type { Findings } from '../findings.ts';
import { findAccount } from '../find-account.ts';
import { nameOf, planInWords } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/** Recomputes the plan, as a Stripe event would. */
export async function reconcile(tools: Tools, { user }: { user: string }): Promise<Findings> {
  const { accounts, planTable, billing, now } = tools;
  const account = await findAccount(accounts, user);
  const row = await planTable.read(account.sub);
  if (!row) return { lines: [`${nameOf(account)} has no row, so there is nothing to decide.`] };
  const customer = customerIdOf(row);
  const subscriptions = customer === undefined ? [] : await billing.subscriptionsOf(customer, row);
  const { fields } = decidePlan(row, subscriptions, now);
  const duplicates = duplicatesIn(subscriptions, row).map(({ id }) => id);
  const isSettled = areSettled(subscriptions, row);
  const lines = [
    isSamePlan(row, fields)
      ? `${nameOf(account)} would stay as it is: ${planInWords(row)}.`
      : `${nameOf(account)} would change from ${planInWords(row)} to ${planInWords(fields)}.`,
    ...(duplicates.length > 0 ? [`Duplicates would be refunded and ended: ${duplicates.join(', ')}.`] : []),
    ...(isSettled || duplicates.length > 0
      ? []
      : ['Subscriptions that were never paid would be ended, and open invoices of ended ones voided.']),
  ];
  const change = {
    action: 'reconcile',
    id: account.sub,
    detail: `from ${planInWords(row)} to ${planInWords(fields)}`,
    run: async () => {
      const done = await reconcilePlan(tools, account.sub, now, { trigger: 'support' });
      if (!done) throw new Error('The row is gone: the account was deleted in the meantime.');
      return [
        `The row now says ${planInWords(done.row)}.`,
        ...(done.unsettled === undefined
          ? []
          : ['Stripe refused to settle the subscriptions. The billing tasks try it again every hour.']),
      ];
    },
  };
  return { lines, change };
}
