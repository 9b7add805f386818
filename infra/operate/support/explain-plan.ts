import { plans } from '../../../schemas/product/offers.ts';
import { isClosing } from '../../../functions/domain/closing.ts';
import { decidePlan } from '../../../functions/domain/decide-plan.ts';
import { warningsOf } from '../../../functions/domain/idle.ts';
import { type StandingFacts, standingOf } from '../../../functions/domain/standing.ts';
import { standingInSentences } from '../../../functions/emails/plan-terms.ts';
import { customerIdOf, isSamePlan } from '../../../functions/domain/plan.ts';
import { isEntitling, isPaymentDue, type Subscription } from '../../../functions/domain/subscription.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import type { AuditLine } from './audit.ts';
import { moment, momentOfUnix, planInWords } from './in-words.ts';

/** Explains the row's plan in sentences, with the product's own decision. `asked`: Stripe's answers. */
export function explainPlan(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  asked?: StandingFacts,
): string[] {
  const decision = decidePlan(row, subscriptions, now);
  const { subscription } = decision;
  const customer = customerIdOf(row);
  return [
    `The row says ${planInWords(row)}${row.updated_at === undefined ? '' : `, decided on ${moment(row.updated_at)}`}.`,
    `The log calls the decision ${decision.because} (${subscription?.id ?? customer ?? 'no customer at Stripe'}).`,
    `Pages and mails say: “${standingInSentences(standingOf(row, subscriptions, now, asked))}”`,
    ...(isSamePlan(row, decision.fields)
      ? []
      : [
          `The row differs from what it should be: ${planInWords(decision.fields)}. The command reconcile writes it.`,
        ]),
    ...(isClosing(row, now) ? ['The account is being deleted right now.'] : []),
    ...(row.plan === 'free' && row.idle_due_at !== undefined
      ? [
          `If nobody signs in, the next mail or the deletion is due on ${moment(row.idle_due_at)}. ${warningsOf(row)} warnings were sent.`,
        ]
      : []),
  ];
}

/** A subscription at Stripe, and the plan that results from it. */
export function describeSubscription(subscription: Subscription): string {
  const { id, state, createdAt } = subscription;
  return `${id} (${state.kind}, since ${momentOfUnix(createdAt)}) ${whatItGives(subscription)}`;
}

function whatItGives(subscription: Subscription): string {
  const { plan, ended, refund, endsAt, endedAt, currentPeriodEnd } = subscription;
  if (!isEntitling(subscription)) {
    const facts = [
      endedAt === undefined ? undefined : `ended on ${momentOfUnix(endedAt)}`,
      ended,
      refund && `refund ${refund}`,
    ];
    return ['gives nothing', ...facts.filter((fact) => fact !== undefined)].join(', ');
  }
  const period =
    endsAt === undefined ? `renews on ${momentOfUnix(currentPeriodEnd)}` : `ends on ${momentOfUnix(endsAt)}`;
  return `gives ${plans[plan].name}, ${period}${isPaymentDue(subscription) ? ', and a payment is due' : ''}`;
}

/** A task left to do at Stripe. */
export function describeTask({ work, since, due, tries, failure, given_up }: BillingTask): string {
  const next = given_up ? 'It is not tried any more' : `The next try is on ${moment(due)}`;
  return `${work}, left on ${moment(since)} and tried ${tries} times. ${next}. The last error: ${failure}`;
}

/** Support's actions, a line for each run. `begun` is only shown if no later line says how the run ended. */
export function describeRuns(lines: readonly AuditLine[]): string[] {
  const ended = new Set(lines.filter(({ state }) => state !== 'begun').map(({ run }) => run));
  return lines.filter(({ state, run }) => state !== 'begun' || !ended.has(run)).map(describeAudit);
}

const describeAudit = ({ time, who, action, detail, reason, state, failure }: AuditLine): string =>
  `${moment(time)}: ${action} (${detail}) by ${who}, ${state}${failure === undefined ? '' : `: ${failure}`}. Reason: ${reason}`;
