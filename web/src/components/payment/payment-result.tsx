import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SessionStatus } from '../../../../schemas/checkout.ts';
import { plans, product } from '../../../../schemas/product.ts';
import { call } from '../../api/call.ts';
import { longDate } from '../../plan/long-date.ts';
import { usePlan } from '../../plan/use-plan.ts';
import { useSession } from '../../session/session.ts';
import { Message } from '../message.tsx';
import { Notice } from '../notice.tsx';
import { Spinner } from '../spinner.tsx';
import { type Payment, readPayment } from './read-payment.ts';
import styles from './payment.module.css';

/** A button that leads to another page of the site, in the way of the page it stands on. */
export type Way = ComponentType<{ to: string; tone?: 'primary' | 'secondary'; children: ReactNode }>;

interface PaymentResultProps {
  way: Way;
  /** Asked for once more after this, in milliseconds, if no user was present; not at all where it is absent. */
  retryAfter?: number;
}

/** What has become of the payment whose session the address names. */
export function PaymentResult({ way: Way, retryAfter }: PaymentResultProps) {
  const [query] = useSearchParams();
  const payment = usePayment(query.get('session_id'), retryAfter);
  if (payment.kind === 'loading') return <Spinner />;
  if (payment.kind === 'read') return <Read status={payment.status} way={Way} />;
  return (
    <Message
      title="Something went wrong"
      actions={
        <>
          {payment.signedOut && <Way to="/login">Sign In</Way>}
          <Way to="/pricing" tone={payment.signedOut ? 'secondary' : 'primary'}>
            Return to Pricing
          </Way>
        </>
      }
    >
      <Notice tone="danger">{payment.message}</Notice>
      {payment.signedOut && <p>You are not signed in. Only the account that has paid sees its payment.</p>}
      <p>
        Please try again or <Support /> if the problem persists.
      </p>
    </Message>
  );
}

function usePayment(sessionId: string | null, retryAfter: number | undefined): Payment {
  const [payment, setPayment] = useState<Payment>({ kind: 'loading' });
  // Whoever signs in meanwhile, here or in another tab, is asked for at once.
  const { kind: session } = useSession();
  useEffect(() => {
    if (session === 'loading') return undefined;
    const leaving = new AbortController();
    void readPayment(sessionId, { call, retryAfter, signal: leaving.signal }).then((read) => {
      if (!leaving.signal.aborted) setPayment(read);
    });
    return () => leaving.abort();
  }, [sessionId, retryAfter, session]);
  return payment;
}

function Read({ status, way: Way }: { status: SessionStatus; way: Way }) {
  if (status.status === 'complete') {
    return status.refunded ? <Refunded way={Way} /> : <Success status={status} way={Way} />;
  }
  if (status.status === 'open') {
    return (
      <Message title="Payment Pending" actions={<Way to="/checkout">Return to Checkout</Way>}>
        <p>Your payment is not complete yet. Nothing has been charged.</p>
      </Message>
    );
  }
  return (
    <Message title="Payment Status Unknown" actions={<Way to="/pricing">Return to Pricing</Way>}>
      <p>
        We couldn't determine the status of your payment. Please check your email for confirmation or{' '}
        <Support />.
      </p>
    </Message>
  );
}

const Support = () => <a href={`mailto:${product.supportEmail}`}>contact support</a>;

/** For a payment that somebody who had paid already made once more. */
function Refunded({ way: Way }: { way: Way }) {
  return (
    <Message title="Payment Refunded" actions={<Ways way={Way} />}>
      <Notice>You were already on {plans.plus.name}, so this second payment has been refunded.</Notice>
      <p>Your bank may take some days to show it. Nothing else about your plan has changed.</p>
    </Message>
  );
}

function Success({ status, way: Way }: { status: SessionStatus; way: Way }) {
  // Only to say whether it has arrived: where it can't be read, nothing is lost.
  const { state } = usePlan();
  const arrived = state.kind === 'known' && state.plan.plan === 'plus';
  return (
    <Message title="Payment Successful!" actions={<Ways way={Way} />}>
      {status.subscription_status === 'canceled' ? (
        <Notice>The subscription that this payment began has ended.</Notice>
      ) : (
        <Notice tone="success">
          {state.kind === 'known' && !arrived
            ? `We have your payment. It may take a moment until ${plans.plus.name} shows on every page.`
            : `Your account has been upgraded to ${plans.plus.name}.`}
        </Notice>
      )}
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

function Ways({ way: Way }: { way: Way }) {
  return (
    <>
      <Way to="/dashboard">Go to Dashboard</Way>
      <Way to="/pricing" tone="secondary">
        See Your Plan
      </Way>
    </>
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
