import { useState } from 'react';
import { plans } from '../../../../schemas/product.ts';
import type { RefusalCode } from '../../../../schemas/refusal.ts';
import { call } from '../../api/call.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { planDay } from '../../plan/plan-day.ts';
import { type Cancellable, cancellable } from '../../plan/plan-status.ts';
import { usePlan } from '../../plan/use-plan.ts';

export default function CancelPage() {
  const { state, reload } = usePlan();
  if (state.kind === 'visitor' || state.kind === 'loading') return <Spinner>Loading your plan...</Spinner>;
  if (state.kind === 'known') return <Cancellation of={cancellable(state.plan)} />;
  // Assuming Free would tell a paying user that there is nothing to cancel.
  return (
    <Message
      title="Something went wrong"
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
  /** `until`: Unix seconds. */
  | { kind: 'cancelled'; until: number }
  /** `wasDue`: whether a payment was due, which is then not taken. False if that is unknown. */
  | { kind: 'ended'; wasDue: boolean };

function Cancellation({ of: subscription }: { of: Cancellable }) {
  const [state, setState] = useState<State>({ kind: 'asking' });
  // A complimentary plan has no subscription that could be renewed.
  const paid = subscription.kind === 'subscription';

  if (state.kind === 'cancelled') return <Cancelled until={state.until} renewable={paid} />;
  if (state.kind === 'ended') return <Ended wasDue={state.wasDue} />;
  if (subscription.kind === 'nothing') {
    return (
      <Message title="Nothing to cancel" actions={<ButtonLink to="/pricing">Return to Pricing</ButtonLink>}>
        <Notice tone="danger">No active subscription found</Notice>
      </Message>
    );
  }

  const cancel = async () => {
    setState({ kind: 'sending' });
    const answer = await call('cancel-subscription', {
      body: { subscription_id: paid ? subscription.id : null },
    });
    if (answer.ok) {
      const { ended, current_period_end: until } = answer.value;
      return setState(ended ? { kind: 'ended', wasDue: true } : { kind: 'cancelled', until });
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
      actions={
        <>
          <Button disabled={state.kind === 'sending'} onClick={() => void cancel()}>
            Yes, Cancel My Subscription
          </Button>
          <ButtonLink to="/pricing" tone="secondary">
            No, Keep My Subscription
          </ButtonLink>
        </>
      }
    >
      <p>
        You keep {plans.plus.name} until{' '}
        {paid ? 'the time you have paid for is over' : 'the end of this month'}. After that your account is on{' '}
        {plans.free.name}, with {plans.free.features[0]}
        {paid && ', and you are not charged again'}.
      </p>
      {paid && <PaymentDue />}
      {state.kind === 'refused' && <Notice tone="danger">{state.sentence}</Notice>}
    </Message>
  );
}

/**
 * What happens if a payment is due. Stripe leaves a renewal's invoice as a draft for about an hour
 * (https://docs.stripe.com/billing/subscriptions/webhooks). Said to every payer and not read from Stripe
 * first: the payment may be taken while the page is open.
 */
function PaymentDue() {
  return (
    <p>
      If a payment is due, {plans.plus.name} ends at once, and the payment is not taken. A new{' '}
      {plans.plus.interval} is charged about an hour after it begins, and until then its payment is due.
    </p>
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
  return planExpiresAt === null ? null : { kind: 'cancelled', until: Date.parse(planExpiresAt) / 1000 };
}

function Ended({ wasDue }: { wasDue: boolean }) {
  return (
    <Message title="Subscription Cancelled" actions={<NextSteps />}>
      <p>
        {plans.plus.name} has ended. {wasDue && 'Nothing is charged: the payment that was due is not taken. '}
        Your account is on {plans.free.name}, and you are not charged again.
      </p>
    </Message>
  );
}

function Cancelled({ until, renewable }: { until: number; renewable: boolean }) {
  const end = new Date(until * 1000);
  return (
    <Message title="Subscription Cancelled" actions={<NextSteps />}>
      <p>
        You keep {plans.plus.name} until <time dateTime={end.toISOString()}>{planDay(end)}</time>. After that
        your account is on {plans.free.name}.
      </p>
      {renewable && (
        <p>Changed your mind? Until then you can renew on the pricing page, at no extra charge.</p>
      )}
    </Message>
  );
}

function NextSteps() {
  return (
    <>
      <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
      <ButtonLink to="/pricing" tone="secondary">
        Return to Pricing
      </ButtonLink>
    </>
  );
}
