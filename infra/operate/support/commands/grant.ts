import { lowestPaidPlan, plans } from '../../../../schemas/product/offers.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { isClosing } from '../../../../functions/domain/closing.ts';
import { decidePlan, type PlanDecision } from '../../../../functions/domain/decide-plan.ts';
import { customerIdOf, isSamePlan, type PlanFields, setPlan } from '../../../../functions/domain/plan.ts';
import { enqueuePlanNotices } from '../../../../functions/notices/enqueue-plan-notices.ts';
import type { Findings } from '../findings.ts';
import type { Until } from '../command-line.ts';
import { findAccount } from '../find-account.ts';
import { nameOf, planInWords } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/** Grants a paid plan without payment, or changes the end of such a plan. */
export async function grant(
  tools: Tools,
  { user, until }: { user: string; until: Until },
): Promise<Findings> {
  const { accounts, planTable, billing, now } = tools;
  const account = await findAccount(accounts, user);
  if (account.status === 'UNCONFIRMED') {
    throw new Error(`${nameOf(account)} has not confirmed the address, so anybody may have typed it.`);
  }
  const row = await planTable.read(account.sub);
  const customer = row && customerIdOf(row);
  const subscriptions = row && customer !== undefined ? await billing.subscriptionsOf(customer, row) : [];
  const decision = row && decidePlan(row, subscriptions, now);
  const refusal = whyNotGranted({ row, decision, until, now });
  if (refusal !== undefined) throw new Error(`${nameOf(account)}: ${refusal}`);
  const fields = complimentary(until);
  const before = row ? planInWords(row) : 'no row';
  const change = {
    action: 'grant',
    id: account.sub,
    detail: `${planInWords(fields)}, before: ${before}`,
    run: async () => {
      const read = row ?? (await planTable.open(account.sub, now));
      await enqueuePlanNotices(tools, read, { fields, hasNotices: true }, now);
      // Refused if another decision was written since the row was read.
      const written = await planTable.decide(read, fields, now);
      if (!written)
        throw new Error('Another decision was written in the meantime. Nothing was changed; try again.');
      return [`The row now says ${planInWords(written)}. Within an hour, the user is mailed.`];
    },
  };
  return { lines: [`${nameOf(account)} would change from ${before} to ${planInWords(fields)}.`], change };
}

/** The lowest paid plan without Stripe ids, which makes the plan complimentary. */
const complimentary = (until: Until): PlanFields => ({
  ...setPlan(lowestPaidPlan),
  ...(until !== undefined && { plan_expires_at: until }),
});

/**
 * The reason why a complimentary plan can't be granted, as a sentence. `row`, `decision`: undefined without a
 * row.
 */
export function whyNotGranted({
  row,
  decision,
  until,
  now,
}: {
  row: UserPlan | undefined;
  decision: Pick<PlanDecision, 'because' | 'subscription' | 'fields'> | undefined;
  until: Until;
  now: Date;
}): string | undefined {
  if (until !== undefined && Date.parse(until) <= now.getTime()) return 'that day has passed.';
  if (!row || !decision) return undefined;
  if (isClosing(row, now)) return 'the account is being deleted.';
  if (decision.subscription) {
    return `${decision.subscription.id} gives ${plans[decision.subscription.plan].name}, and would replace a plan without payment at once.`;
  }
  if (!isSamePlan(row, decision.fields)) return 'the row and Stripe disagree. Use reconcile first.';
  if (isSamePlan(row, complimentary(until))) return 'that is the plan already.';
  return undefined;
}
