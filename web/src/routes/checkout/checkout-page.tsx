import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Stripe } from '@stripe/stripe-js';
import { plans } from '../../../../schemas/product.ts';
import { refusals } from '../../../../schemas/refusal.ts';
import { call } from '../../api/call.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { type User, useSession } from '../../session/session.ts';
import { CardForm } from './card-form.tsx';
import styles from './checkout.module.css';
import { stripe } from './stripe.ts';

export default function CheckoutPage() {
  const [query] = useSearchParams();
  const session = useSession();
  const planName = (query.get('plan') ?? 'plus').toLowerCase();
  if (session.kind !== 'signed-in') return null;
  return planName === 'plus' ? (
    <Checkout planName={planName} user={session.user} />
  ) : (
    <Message
      title="Complete Your Purchase"
      actions={<ButtonLink to="/pricing">Return to Pricing</ButtonLink>}
    >
      <Notice tone="wrong">{refusals['unknown-plan'].sentence}</Notice>
    </Message>
  );
}

type State =
  | { kind: 'starting' }
  | { kind: 'paying'; stripe: Stripe; clientSecret: string }
  /** There is nothing to buy, and another way on. */
  | { kind: 'elsewhere'; sentence: string }
  | { kind: 'failed' };

function Checkout({ planName, user }: { planName: 'plus'; user: User }) {
  const state = useCheckout(planName, user);
  if (state.kind === 'failed') return <Failed />;
  if (state.kind === 'elsewhere') return <Elsewhere sentence={state.sentence} />;
  const plan = plans[planName];
  return (
    <div className={styles.Checkout}>
      <header className={styles.Head}>
        <h1>Complete Your Purchase</h1>
        <p className={styles.Lead}>You're upgrading to {plan.name}</p>
        <p>
          {plan.price} {plan.period}, billed to <strong>{user.email}</strong>
        </p>
      </header>
      <div className={styles.Frame}>
        {state.kind === 'paying' ? (
          <CardForm stripe={state.stripe} clientSecret={state.clientSecret} />
        ) : (
          <Spinner>Loading checkout...</Spinner>
        )}
      </div>
      <ButtonLink to="/pricing" tone="secondary">
        Cancel &amp; Return to Pricing
      </ButtonLink>
    </div>
  );
}

function Failed() {
  return (
    <Message
      title="Something went wrong"
      actions={
        <>
          <Button onClick={() => location.reload()}>Try Again</Button>
          <ButtonLink to="/pricing" tone="secondary">
            Return to Pricing
          </ButtonLink>
        </>
      }
    >
      <p role="alert">The checkout could not be opened. Nothing has been charged.</p>
    </Message>
  );
}

/** For whoever has Plus already. Pricing shows what they can do about it. */
function Elsewhere({ sentence }: { sentence: string }) {
  return (
    <Message
      title="Nothing to buy"
      actions={
        <>
          <ButtonLink to="/pricing">Return to Pricing</ButtonLink>
          <ButtonLink to="/dashboard" tone="secondary">
            Go to Dashboard
          </ButtonLink>
        </>
      }
    >
      <Notice tone="wrong">{sentence}</Notice>
    </Message>
  );
}

function useCheckout(planName: string, user: User): State {
  const [state, setState] = useState<State>({ kind: 'starting' });
  useEffect(() => {
    let current = true;
    void start(planName, user).then((next) => {
      if (current) setState(next);
    });
    return () => {
      current = false;
    };
  }, [planName, user]);
  return state;
}

let starting: { key: string; state: Promise<State> } | undefined;

/** Opens the checkout. Asking again while it opens joins in: one visit asks for one session. */
function start(planName: string, user: User): Promise<State> {
  const key = `${user.id} ${planName}`;
  if (starting?.key === key) return starting.state;
  const state = open(planName, user).finally(() => {
    starting = undefined;
  });
  starting = { key, state };
  return state;
}

// The secret is asked for before the form is mounted: a form that is refused its secret stays an empty box.
async function open(planName: string, user: User): Promise<State> {
  try {
    const [loaded, answer] = await Promise.all([
      stripe(),
      call('create-checkout-session', { body: { planName, userId: user.id, userEmail: user.email } }),
    ]);
    if (answer.ok) return { kind: 'paying', stripe: loaded, clientSecret: answer.value.clientSecret };
    return answer.code === 'already-subscribed' || answer.code === 'renew-instead'
      ? { kind: 'elsewhere', sentence: answer.sentence }
      : { kind: 'failed' };
  } catch {
    return { kind: 'failed' };
  }
}
