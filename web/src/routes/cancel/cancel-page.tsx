import { useState } from 'react';
import * as z from 'zod/mini';
import { plans } from '../../../../schemas/product/offers.ts';
import { withdrawal } from '../../../../schemas/product/product.ts';
import type { Plan } from '../../../../schemas/rows/plan.ts';
import type { RefusalCode } from '../../../../schemas/refusal.ts';
import { call } from '../../api/call.ts';
import { ActionButton } from '../../components/account/action-button.tsx';
import { type Outcome, refused } from '../../account/outcome.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import type { ShownStanding } from '../../plan/shown-standing.ts';
import { cancellable } from '../../plan/plan-status.ts';
import { nameOf } from '../../../../schemas/product/known-plan.ts';
import { processing } from '../../../../schemas/shapes/standing-in-words.ts';
import { usePlanAndBilling } from '../../plan/use-plan-and-billing.ts';
import { holdRouterState, useRouterState } from '../../navigation/use-router-state.ts';
import { consequencesOf } from '../../plan/cancel-sentences.ts';
import CancelWaiting from './cancel-waiting.tsx';
import { Cancelled, leadOfEnded, messageOfEnd } from './cancelled.tsx';
import { NextSteps } from '../../components/next-steps.tsx';

export default function CancelPage() {
  const { state, standing, ...reads } = usePlanAndBilling();
  if (state.kind === 'visitor' || standing.kind === 'loading' || state.kind === 'loading')
    return <CancelWaiting />;
  if (state.kind === 'known') {
    return <Cancellation plan={state.value} standing={standing} takesFocus={reads.takesFocus} />;
  }
  // A failure must not count as Free, which would tell a paying user that there is nothing to cancel.
  return (
    <Message
      title="We couldn't load your plan"
      sign="!"
      actions={
        <>
          <Button aria-busy={reads.reading} onClick={reads.retryPlan}>
            Try Again
          </Button>
          <ButtonLink to="/pricing" tone="secondary">
            Return to Pricing
          </ButtonLink>
        </>
      }
    >
      <Notice tone="danger">{state.sentence}</Notice>
    </Message>
  );
}

/** Router state, from this page itself before a reload: Plus ended with the cancellation. */
const EndedPlan = z.object({ endedPlan: z.object({ name: z.string(), wasDue: z.boolean() }) });
type EndedPlan = z.infer<typeof EndedPlan>;

// Shown for a failure without an answer from the server.
const FAILED = 'Subscription cancellation failed';

type State =
  | { kind: 'asking' }
  /** `until`: end of Plus, ISO 8601. */
  | { kind: 'cancelled'; until: string }
  | ({ kind: 'ended' } & EndedPlan['endedPlan']);

interface CancellationProps {
  plan: Plan;
  standing: ShownStanding;
  /** Whether this part replaces a button that had the focus. */
  takesFocus: boolean;
}

function Cancellation({ plan, standing, takesFocus }: CancellationProps) {
  const cancels = cancellable(plan);
  const [state, setState] = useState<State>({ kind: 'asking' });

  const held = useRouterState(EndedPlan)?.endedPlan;

  if (state.kind === 'ended') return <Cancelled lead={leadOfEnded(state)} takesFocus />;
  // The cancellation was made before a reload.
  if (held && plan.plan === 'free') return <Cancelled lead={leadOfEnded(held)} takesFocus={takesFocus} />;
  if (state.kind === 'cancelled') {
    // The plan may have been read before the cancellation, when a payment could have been due.
    const renewal = cancels.kind === 'complimentary' ? 'purchase' : 'free';
    const cancelled: ShownStanding =
      plan.planExpiresAt === null ? { kind: 'ends', on: state.until, renewal, charges: [] } : standing;
    return <Cancelled {...messageOfEnd(state.until, cancelled)} takesFocus />;
  }
  // The plan was canceled before this visit or elsewhere, here or at Stripe.
  if (plan.planExpiresAt !== null && standing.kind !== 'renews') {
    return <Cancelled {...messageOfEnd(plan.planExpiresAt, standing)} takesFocus={takesFocus} />;
  }
  // A contract that gives no plan can be ended all the same.
  const isOpen = standing.kind === 'unpaid' || (standing.kind === 'paused' && standing.on === null);
  if (cancels.kind === 'nothing' && standing.kind !== 'renews' && !isOpen)
    return <NothingToCancel standing={standing} takesFocus={takesFocus} />;

  const hasEnded = (wasDue: boolean) => {
    const endedPlan = { name: nameOf(standing), wasDue };
    setState({ kind: 'ended', ...endedPlan });
    holdRouterState('/cancel', { endedPlan } satisfies EndedPlan, window);
  };

  const cancel = async (): Promise<Outcome> => {
    const answer = await call('cancel-subscription', {
      body: { subscription_id: cancels.kind === 'subscription' ? cancels.id : null },
    });
    if (answer.ok) {
      const { ended, current_period_end: end } = answer.value;
      if (ended) hasEnded(!isOpen);
      else setState({ kind: 'cancelled', until: new Date(end * 1000).toISOString() });
      return { kind: 'done' };
    }
    // The plan was canceled in another tab, or by an earlier try whose answer was lost.
    const earlier = ALREADY_CANCELLED.has(answer.code) ? await earlierCancellation() : null;
    if (earlier?.kind === 'ended') hasEnded(false);
    else if (earlier) setState(earlier);
    if (earlier) return { kind: 'done' };
    const unanswered = answer.code === 'unreachable' || answer.code === 'unreadable';
    return refused(unanswered ? FAILED : answer.sentence);
  };

  const { lead, details } = consequencesOf(cancels.kind, standing);
  return (
    <Message
      takesFocus={takesFocus}
      title="Confirm Cancellation"
      sign="?"
      lead={<PlanText of={lead} />}
      actions={
        <>
          <ButtonLink to="/pricing">No, Keep My Subscription</ButtonLink>
          <ActionButton tone="secondary" work={cancel} busy="Yes, Cancel My Subscription">
            Yes, Cancel My Subscription
          </ActionButton>
        </>
      }
    >
      {details.map((paragraph, index) => (
        <p key={index}>
          <PlanText of={paragraph} />
        </p>
      ))}
      {withdrawal.offered && cancels.kind === 'subscription' && <Withdraw />}
    </Message>
  );
}

const Withdraw = () => (
  <p>
    Within {withdrawal.days} days after the day of your purchase, you can{' '}
    <PageLink to="/end-contract">withdraw from the contract</PageLink> instead, and everything you paid is
    refunded.
  </p>
);

function NothingToCancel({ standing, takesFocus }: Pick<CancellationProps, 'standing' | 'takesFocus'>) {
  return (
    <Message
      takesFocus={takesFocus}
      title="Nothing to cancel"
      lead={
        standing.kind === 'processing'
          ? `${processing.what}. Once ${nameOf(standing)} has begun, you can cancel it here.`
          : `You are on ${plans.free.name}, which costs nothing.`
      }
      actions={<NextSteps />}
    >
      <p>No active subscription found</p>
    </Message>
  );
}

const ALREADY_CANCELLED: ReadonlySet<string> = new Set<RefusalCode>([
  'already-cancelled',
  'no-active-subscription',
]);

/** The result of an earlier cancellation, from the plan; null if there was none or the plan can't be read. */
async function earlierCancellation(): Promise<
  { kind: 'ended' } | { kind: 'cancelled'; until: string } | null
> {
  const answer = await call('plan');
  if (!answer.ok) return null;
  const { plan, planExpiresAt } = answer.value;
  if (plan === 'free') return { kind: 'ended' };
  return planExpiresAt === null ? null : { kind: 'cancelled', until: planExpiresAt };
}
