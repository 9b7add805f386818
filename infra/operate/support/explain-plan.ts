import { plans } from '../../../schemas/product/offers.ts';
import { isClosing } from '../../../functions/domain/closing.ts';
import { decidePlan, type PlanDecision } from '../../../functions/domain/decide-plan.ts';
import { warningsOf } from '../../../functions/domain/idle.ts';
import { type StandingFacts, standingOf } from '../../../functions/domain/standing.ts';
import { standingInSentences } from '../../../functions/emails/plan-terms.ts';
import { customerIdOf, isSamePlan } from '../../../functions/domain/plan.ts';
import {
  hasEnded,
  isEntitling,
  isPaymentDue,
  isPaymentProcessing,
  runsUnpaid,
  type Subscription,
} from '../../../functions/domain/subscription.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import type { PlanDecisionReason } from '../../../schemas/config/log-events.ts';
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
  return [
    `The row says ${planInWords(row)}${row.updated_at === undefined ? '' : `, decided on ${moment(row.updated_at)}`}.`,
    because(decision, row),
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

function because({ because: reason, subscription, fields }: PlanDecision, row: UserPlan): string {
  const end = fields.plan_expires_at ?? row.plan_expires_at;
  const until = end === undefined ? '' : ` on ${moment(end)}`;
  const customer = customerIdOf(row);
  const { name } = plans[subscription?.plan ?? row.plan];
  const sentences: Record<PlanDecisionReason, string> = {
    'subscription-renews': `${subscription?.id} gives ${name} at Stripe, and renews.`,
    'subscription-ends': `${subscription?.id} gives ${name} at Stripe. It is cancelled, and ends${until}.`,
    'no-active-subscription':
      customer === undefined
        ? 'The user has never been to the checkout: there is no customer at Stripe.'
        : `Stripe has no subscription of ${customer} that gives a plan.`,
    complimentary: `Support gave ${name} without payment${end === undefined ? ', without an end' : `; it ends${until}`}.`,
    'complimentary-cancelled': `${name} without payment was cancelled, and ends${until}.`,
    'complimentary-expired': `${name} without payment ended${until}. The next read or sweep sets the row to Free.`,
  };
  return sentences[reason];
}

/** A subscription at Stripe, and the plan that results from it. */
export function describeSubscription(subscription: Subscription): string {
  const { id, state, createdAt } = subscription;
  return `${id} (${state.kind}, since ${momentOfUnix(createdAt)}) ${whatItGives(subscription)}`;
}

function whatItGives(subscription: Subscription): string {
  const { state, ended, refund, endsAt, endedAt, currentPeriodEnd } = subscription;
  const { name } = plans[subscription.plan];
  if (refund) return `gives nothing: ${ended ?? 'ended'}, refund ${refund}.`;
  if (hasEnded(subscription)) {
    const when = endedAt === undefined ? '' : ` on ${momentOfUnix(endedAt)}`;
    return `gives nothing: it ended${when}${ended === 'unpaid' ? ', because payments failed' : ''}.`;
  }
  if (isPaymentProcessing(subscription)) {
    return `gives ${name} once its first payment arrives. The bank processes it.`;
  }
  if (runsUnpaid(subscription)) {
    return state.kind === 'given-up'
      ? 'gives nothing: its payment failed, and Stripe has stopped trying.'
      : 'gives nothing: its first payment failed.';
  }
  if (!isEntitling(subscription)) return `gives nothing. If its invoice is paid, it may give ${name}.`;
  const period =
    endsAt === undefined ? `renews on ${momentOfUnix(currentPeriodEnd)}` : `ends on ${momentOfUnix(endsAt)}`;
  if (state.kind === 'uncollected') return `gives ${name}, and ${period}. Its payments are paused.`;
  return `gives ${name}${isPaymentDue(subscription) ? ' while a payment is due' : `, and ${period}`}.`;
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
