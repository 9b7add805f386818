import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SessionStatus } from '../../../../schemas/shapes/checkout.ts';
import { isPaid } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { useReloadWhenVisible } from '../../api/use-reload-when-visible.ts';
import { formatAmount } from '../../../../schemas/product/format-amount.ts';
import { planDay } from '../../plan/plan-day.ts';
import { nameOf } from '../../plan/known-plan.ts';
import { processing } from '../../plan/processing.ts';
import { usePlan } from '../../plan/use-plan-and-billing.ts';
import { useSession } from '../../session/session.ts';
import { EmailAddress } from '../email-address.tsx';
import { Message } from '../message.tsx';
import { MessageWaiting } from '../message-waiting.tsx';
import { type LinkComponent, NextSteps } from '../next-steps.tsx';
import { Notice } from '../notice.tsx';
import { type Payment, readPayment } from './read-payment.ts';
import styles from './payment.module.css';

interface PaymentResultProps {
  link: LinkComponent;
  /** Milliseconds after which a request without a user is retried once. Absent: no retry. */
  retryAfter?: number;
}

/** The result of the payment whose Checkout Session is in the query. */
export function PaymentResult({ link: Link, retryAfter }: PaymentResultProps) {
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  const payment = usePayment(sessionId, retryAfter);
  if (payment.kind === 'loading') return <MessageWaiting>Loading</MessageWaiting>;
  if (payment.kind === 'read') return <Read status={payment.status} link={Link} />;
  return (
    <Message
      title="Something went wrong"
      sign="!"
      actions={
        <>
          {payment.signedOut && <Link to={signInAndReturn(sessionId)}>Sign In</Link>}
          <Link to="/pricing" tone={payment.signedOut ? 'secondary' : 'primary'}>
            Return to Pricing
          </Link>
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

/** The return page that requires a sign-in: it sends the user to sign in, and then back. */
const signInAndReturn = (sessionId: string | null): string =>
  `/checkout/return?${new URLSearchParams({ session_id: sessionId ?? '' })}`;

function usePayment(sessionId: string | null, retryAfter: number | undefined): Payment {
  // A new key loads again when the user signs in, here or in another tab.
  const { kind: session } = useSession();
  const key = session === 'loading' ? null : `${session} ${sessionId}`;
  const { state, reload } = useLoad(key, (signal) => readPayment(sessionId, { call, retryAfter, signal }));
  const payment = state.kind === 'loaded' ? state.value : state;
  const { status, payment: money } = payment.kind === 'read' ? payment.status : {};
  useReloadWhenVisible(status === 'open' || money === 'processing', reload);
  return payment;
}

function Read({ status, link: Link }: { status: SessionStatus; link: LinkComponent }) {
  if (status.status === 'complete') {
    if (status.refunded) return <Refunded status={status} link={Link} />;
    if (status.payment === 'processing') return <Processing status={status} link={Link} />;
    if (status.payment === 'failed') return <Failed status={status} link={Link} />;
    return <Success status={status} link={Link} />;
  }
  if (status.status === 'open') {
    return (
      <Message
        takesFocus
        title="Payment Pending"
        sign="…"
        lead="Your payment is not complete yet. Nothing has been charged."
        actions={<Link to="/checkout">Return to Checkout</Link>}
      />
    );
  }
  return (
    <Message
      takesFocus
      title="Payment Status Unknown"
      sign="?"
      lead={
        <>
          We couldn't determine the status of your payment. Please check your email for confirmation or{' '}
          <Support />.
        </>
      }
      actions={<Link to="/pricing">Return to Pricing</Link>}
    />
  );
}

const Support = () => <a href={`mailto:${product.supportEmail}`}>contact support</a>;

/** Shown for the second payment of a user who was on Plus already. */
function Refunded({ status, link: Link }: { status: SessionStatus; link: LinkComponent }) {
  return (
    <Message
      takesFocus
      title="Payment Refunded"
      sign="="
      lead={`You were already on ${nameOf(status)}, so this second payment has been refunded.`}
      actions={<NextSteps link={Link} />}
    >
      <p>Your bank may take a few days to show it. Nothing else about your plan has changed.</p>
    </Message>
  );
}

/** Shown when the user has paid and the bank has not sent the money yet. */
function Processing({ status, link: Link }: { status: SessionStatus; link: LinkComponent }) {
  return (
    <Message
      takesFocus
      title="Payment Processing"
      sign="…"
      lead={processing.nextOf(status)}
      actions={<NextSteps link={Link} />}
    >
      {status.customer_email && (
        <p>
          When the money arrives, a confirmation email will be sent to{' '}
          <strong>
            <EmailAddress of={status.customer_email} />
          </strong>
          .
        </p>
      )}
    </Message>
  );
}

/** Shown for a payment that failed days after the purchase. */
const Failed = ({ status, link: Link }: { status: SessionStatus; link: LinkComponent }) => (
  <Message
    takesFocus
    title="Payment Failed"
    sign="!"
    lead={`Your bank didn't complete this payment. You weren't charged, and you can buy ${nameOf(status)} again at any time.`}
    actions={
      <>
        <Link to="/checkout">Try Again</Link>
        <Link to="/pricing" tone="secondary">
          Return to Pricing
        </Link>
      </>
    }
  />
);

function Success({ status, link: Link }: { status: SessionStatus; link: LinkComponent }) {
  const name = nameOf(status);
  const { price, receipt_url: receipt } = status;
  // The plan only affects the wording, so a failed read does no harm.
  const { state } = usePlan();
  const waits = state.kind === 'unread' || (state.kind === 'known' && !isPaid(state.value.plan));
  return (
    <Message
      takesFocus
      title="Payment Successful!"
      sign="+"
      lead={
        status.subscription_status === 'canceled'
          ? 'The subscription that this payment began has ended.'
          : waits
            ? `We have your payment. It may take a moment until ${name} shows on every page.`
            : `You're on ${name}. Your account has been upgraded.`
      }
      actions={<NextSteps link={Link} />}
    >
      <dl className={styles.Facts}>
        <Fact name="Paid">{price && formatAmount(price.total, price.currency, price.tax || undefined)}</Fact>
        <Fact name="Next billing date">
          {status.subscription_current_period_end !== null &&
            planDay(new Date(status.subscription_current_period_end * 1000))}
        </Fact>
        <Fact name="Receipt">
          {receipt && (
            <a href={receipt} target="_blank" rel="noopener noreferrer">
              Open
              <span className="visuallyHidden"> the receipt (opens in a new tab)</span>
            </a>
          )}
        </Fact>
        <Fact name="Status">{inWords(status.subscription_status ?? '')}</Fact>
        <Fact name="Subscription ID">{status.subscription_id}</Fact>
      </dl>
      <p>
        Open {product.name} on your Mac: {name} works wherever you are signed in.
      </p>
      {status.customer_email && (
        <p>
          A confirmation email will be sent to{' '}
          <strong>
            <EmailAddress of={status.customer_email} />
          </strong>
          .
        </p>
      )}
    </Message>
  );
}

/** Stripe's word, as a sentence begins: `past_due` is `Past due`. */
const inWords = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return children ? (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  ) : null;
}
