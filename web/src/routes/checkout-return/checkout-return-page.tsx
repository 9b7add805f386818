import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SessionStatus } from '../../../../schemas/checkout.ts';
import { plans } from '../../../../schemas/product.ts';
import { call } from '../../api/call.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { longDate } from '../../plan/long-date.ts';
import { usePlan } from '../../plan/use-plan.ts';
import styles from './checkout-return.module.css';

type State =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'read'; status: SessionStatus };

export default function CheckoutReturnPage() {
  const [query] = useSearchParams();
  const state = useSessionStatus(query.get('session_id'));
  if (state.kind === 'loading') return <Spinner />;
  if (state.kind === 'read') return <Result status={state.status} />;
  return (
    <Message title="Something went wrong" actions={<ButtonLink to="/pricing">Return to Pricing</ButtonLink>}>
      <Notice tone="wrong">{state.message}</Notice>
      <p>Please try again or contact support if the problem persists.</p>
    </Message>
  );
}

function useSessionStatus(sessionId: string | null): State {
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    if (!sessionId) return undefined;
    let current = true;
    void call('session-status', { query: { session_id: sessionId } }).then((answer) => {
      if (!current) return;
      setState(
        answer.ok
          ? { kind: 'read', status: answer.value }
          : { kind: 'failed', message: 'Failed to fetch session status' },
      );
    });
    return () => {
      current = false;
    };
  }, [sessionId]);
  return sessionId ? state : { kind: 'failed', message: 'No session ID found' };
}

function Result({ status }: { status: SessionStatus }) {
  if (status.status === 'complete') return <Success status={status} />;
  if (status.status === 'open') {
    return (
      <Message title="Payment Pending" actions={<ButtonLink to="/checkout">Return to Checkout</ButtonLink>}>
        <p>Your payment is not complete yet. Nothing has been charged.</p>
      </Message>
    );
  }
  return (
    <Message
      title="Payment Status Unknown"
      actions={<ButtonLink to="/pricing">Return to Pricing</ButtonLink>}
    >
      <p>
        We couldn't determine the status of your payment. Please check your email for confirmation or contact
        support.
      </p>
    </Message>
  );
}

function Success({ status }: { status: SessionStatus }) {
  // Only to say whether it has arrived: where it can't be read, nothing is lost.
  const { state } = usePlan();
  const arrived = state.kind === 'known' && state.plan.plan === 'plus';
  return (
    <Message
      title="Payment Successful!"
      actions={
        <>
          <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
          <ButtonLink to="/pricing" tone="secondary">
            See Your Plan
          </ButtonLink>
        </>
      }
    >
      <Notice tone="well">
        {state.kind === 'known' && !arrived
          ? `We have your payment. It may take a moment until ${plans.plus.name} shows on every page.`
          : `Your account has been upgraded to ${plans.plus.name}.`}
      </Notice>
      {status.customer_email && (
        <p>
          A confirmation email will be sent to <strong>{status.customer_email}</strong>.
        </p>
      )}
      <dl className={styles.Facts}>
        <Fact name="Subscription ID">{status.subscription_id}</Fact>
        <Fact name="Status">{status.subscription_status}</Fact>
        <Fact name="Next billing date">
          {status.subscription_current_period_end !== null &&
            longDate(new Date(status.subscription_current_period_end * 1000))}
        </Fact>
      </dl>
    </Message>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return children ? (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  ) : null;
}
