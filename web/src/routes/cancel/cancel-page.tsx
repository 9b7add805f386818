import { useState } from 'react';
import { plans } from '../../../../schemas/product.ts';
import type { Plan } from '../../../../schemas/plan.ts';
import type { RefusalCode } from '../../../../schemas/refusal.ts';
import { call } from '../../api/call.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { cancellable } from '../../plan/plan-status.ts';
import { type Billing, useBilling } from '../../plan/use-billing.ts';
import { usePlan } from '../../plan/use-plan.ts';
import { useSession } from '../../session/session.ts';
import CancelWaiting from './cancel-waiting.tsx';
import { Cancelled, Ended } from './cancelled.tsx';
import { Consequences } from './consequences.tsx';

export default function CancelPage() {
  const session = useSession();
  return session.kind === 'signed-in' ? <LoadedPlan userId={session.user.id} /> : <CancelWaiting />;
}

function LoadedPlan({ userId }: { userId: string }) {
  const { state, reload } = usePlan();
  const { billing } = useBilling(userId);
  if (state.kind === 'visitor' || state.kind === 'loading') return <CancelWaiting />;
  if (state.kind === 'known') {
    return billing.kind === 'loading' ? (
      <CancelWaiting />
    ) : (
      <Cancellation plan={state.plan} billing={billing} />
    );
  }
  // Assuming Free would tell a paying user that there is nothing to cancel.
  return (
    <Message
      title="Something went wrong"
      sign="!"
      actions={
        <>
          <Button onClick={reload}>Try Again</Button>
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

// For a failure without an answer from the server.
const FAILED = 'Subscription cancellation failed';

type State =
  | { kind: 'asking' }
  | { kind: 'sending' }
  | { kind: 'refused'; sentence: string }
  /** `until`: ISO 8601. */
  | { kind: 'cancelled'; until: string }
  /** `wasDue`: whether a payment was due, which is then not taken. False if that is unknown. */
  | { kind: 'ended'; wasDue: boolean };

interface CancellationProps {
  plan: Plan;
  billing: Exclude<Billing, { kind: 'loading' }>;
}

function Cancellation({ plan, billing }: CancellationProps) {
  const cancels = cancellable(plan);
  const [state, setState] = useState<State>(() => initialState(plan));
  // Null for a complimentary plan, which has no subscription. Undefined if it couldn't be read.
  const subscription = billing.kind === 'known' ? billing.overview.subscription : undefined;

  if (state.kind === 'cancelled') {
    return (
      <Cancelled
        until={state.until}
        renewal={renewalOf(cancels.kind, subscription)}
        takesFocus={plan.planExpiresAt === null}
      />
    );
  }
  if (state.kind === 'ended') return <Ended wasDue={state.wasDue} />;
  if (cancels.kind === 'nothing') return <NothingToCancel />;

  const cancel = async () => {
    setState({ kind: 'sending' });
    const answer = await call('cancel-subscription', {
      body: { subscription_id: cancels.kind === 'subscription' ? cancels.id : null },
    });
    if (answer.ok) {
      const { ended, current_period_end: end } = answer.value;
      return setState(
        ended
          ? { kind: 'ended', wasDue: true }
          : { kind: 'cancelled', until: new Date(end * 1000).toISOString() },
      );
    }
    // Cancelled in another tab, or by an earlier try whose answer got lost.
    const earlier = ALREADY_CANCELLED.has(answer.code) ? await earlierCancellation() : null;
    if (earlier) return setState(earlier);
    const unanswered = answer.code === 'unreachable' || answer.code === 'unreadable';
    setState({ kind: 'refused', sentence: unanswered ? FAILED : answer.sentence });
  };

  return (
    <Message
      title="Confirm Cancellation"
      sign="?"
      lead={<Consequences of={cancels.kind} subscription={subscription ?? undefined} />}
      actions={
        <>
          <ButtonLink to="/pricing">No, Keep My Subscription</ButtonLink>
          <Button tone="secondary" disabled={state.kind === 'sending'} onClick={() => void cancel()}>
            Yes, Cancel My Subscription
          </Button>
        </>
      }
    >
      {state.kind === 'refused' && <Notice tone="danger">{state.sentence}</Notice>}
    </Message>
  );
}

/** A plan with a scheduled end was cancelled before, here or at Stripe. */
function initialState({ plan, planExpiresAt }: Plan): State {
  return plan === 'plus' && planExpiresAt !== null
    ? { kind: 'cancelled', until: planExpiresAt }
    : { kind: 'asking' };
}

/** How a cancelled plan is renewed. Nothing revives a complimentary plan: the user can buy Plus. */
function renewalOf(cancelled: string, subscription: unknown): 'free' | 'purchase' | undefined {
  if (cancelled === 'subscription' || subscription) return 'free';
  return cancelled === 'complimentary' || subscription === null ? 'purchase' : undefined;
}

function NothingToCancel() {
  return (
    <Message
      title="Nothing to cancel"
      sign="."
      lead={`You are on ${plans.free.name}, which costs nothing.`}
      actions={
        <>
          <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
          <ButtonLink to="/pricing" tone="secondary">
            Return to Pricing
          </ButtonLink>
        </>
      }
    >
      <p>No active subscription found</p>
    </Message>
  );
}

/** The refusals of a subscription that is cancelled already. */
const ALREADY_CANCELLED: ReadonlySet<string> = new Set<RefusalCode>([
  'already-cancelled',
  'no-active-subscription',
]);

/** The result of an earlier cancellation, from the plan; null if there was none or the plan can't be read. */
async function earlierCancellation(): Promise<State | null> {
  const answer = await call('plan');
  if (!answer.ok) return null;
  const { plan, planExpiresAt } = answer.value;
  if (plan === 'free') return { kind: 'ended', wasDue: false };
  return planExpiresAt === null ? null : { kind: 'cancelled', until: planExpiresAt };
}
