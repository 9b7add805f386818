import { useSearchParams } from 'react-router-dom';
import type { SessionStatus } from '../../../../schemas/shapes/checkout.ts';
import { isPaid } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { useReloadWhenVisible } from '../../api/use-reload-when-visible.ts';
import { formatAmount } from '../../../../schemas/product/format-amount.ts';
import { planDay } from '../../plan/plan-day.ts';
import { nameOf } from '../../../../schemas/product/known-plan.ts';
import { processing } from '../../../../schemas/shapes/standing-in-words.ts';
import { usePlan } from '../../plan/use-plan-and-billing.ts';
import { useSession } from '../../session/session.ts';
import { EmailAddress } from '../email-address.tsx';
import { Facts } from '../facts.tsx';
import { Message, type MessageProps } from '../message.tsx';
import { type LinkComponent, NextSteps } from '../next-steps.tsx';
import { Notice } from '../notice.tsx';
import { PaymentWaiting } from './payment-waiting.tsx';
import { type Payment, readPayment } from './read-payment.ts';

interface PaymentResultProps {
  link: LinkComponent;
  retryAfter?: number;
}

/** The result of the payment whose Checkout Session is in the query. */
export function PaymentResult({ link: Link, retryAfter }: PaymentResultProps) {
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  const payment = usePayment(sessionId, retryAfter);
  if (payment.kind === 'loading') return <PaymentWaiting />;
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

function Read({ status, link }: { status: SessionStatus; link: LinkComponent }) {
  const message = messageOf(status, link);
  return message ? <Message takesFocus {...message} /> : <Success status={status} link={link} />;
}

const Support = () => <a href={`mailto:${product.supportEmail}`}>contact support</a>;

/** The message about a payment that hasn't bought the plan; undefined if it has. */
function messageOf(status: SessionStatus, Link: LinkComponent): MessageProps | undefined {
  const name = nameOf(status);
  if (status.status === 'open') {
    return {
      title: 'Payment Pending',
      sign: '…',
      lead: 'Your payment is not complete yet. Nothing has been charged.',
      actions: <Link to="/checkout">Return to Checkout</Link>,
    };
  }
  if (status.status !== 'complete') {
    return {
      title: 'Payment Status Unknown',
      sign: '?',
      lead: (
        <>
          We couldn't determine the status of your payment. Please check your email for confirmation or{' '}
          <Support />.
        </>
      ),
      actions: <Link to="/pricing">Return to Pricing</Link>,
    };
  }
  // The second payment of a user who was on the plan already.
  if (status.refunded) {
    return {
      title: 'Payment Refunded',
      sign: '=',
      lead: `You were already on ${name}, so this second payment has been refunded.`,
      actions: <NextSteps link={Link} />,
      children: <p>Your bank may take a few days to show it. Nothing else about your plan has changed.</p>,
    };
  }
  if (status.payment === 'processing') {
    return {
      title: 'Payment Processing',
      sign: '…',
      lead: processing.nextOf(status),
      actions: <NextSteps link={Link} />,
      children: <Confirmation status={status} before="When the money arrives, a confirmation email" />,
    };
  }
  if (status.payment !== 'failed') return undefined;
  return {
    title: 'Payment Failed',
    sign: '!',
    lead: `Your bank didn't complete this payment. You weren't charged, and you can buy ${name} again at any time.`,
    actions: (
      <>
        <Link to="/checkout">Try Again</Link>
        <Link to="/pricing" tone="secondary">
          Return to Pricing
        </Link>
      </>
    ),
  };
}

const Confirmation = ({ status, before }: { status: SessionStatus; before: string }) =>
  status.customer_email && (
    <p>
      {before} will be sent to{' '}
      <strong>
        <EmailAddress of={status.customer_email} />
      </strong>
      .
    </p>
  );

function Success({ status, link: Link }: { status: SessionStatus; link: LinkComponent }) {
  const name = nameOf(status);
  const { price, receipt_url: receipt, subscription_current_period_end: end } = status;
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
      <Facts
        of={{
          Paid: price && formatAmount(price.total, price.currency, price.tax || undefined),
          'Next billing date': end !== null && planDay(new Date(end * 1000)),
          Receipt: receipt && (
            <a href={receipt} target="_blank" rel="noopener noreferrer">
              Open
              <span className="visuallyHidden"> the receipt (opens in a new tab)</span>
            </a>
          ),
          Status: inWords(status.subscription_status ?? ''),
          'Subscription ID': status.subscription_id,
        }}
      />
      <p>
        Open {product.name} on your Mac: {name} works wherever you are signed in.
      </p>
      <Confirmation status={status} before="A confirmation email" />
    </Message>
  );
}

/** Stripe's word, as a sentence begins: `past_due` is `Past due`. */
const inWords = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');
