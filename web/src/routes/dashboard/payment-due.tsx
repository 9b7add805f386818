import { useState } from 'react';
import { plans } from '../../../../schemas/product.ts';
import { call } from '../../api/call.ts';
import { usePageRestored } from '../../app/page-restored.ts';
import { Button, buttonProps } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useIsMounted } from '../../start/use-is-mounted.ts';
import styles from './payment-due.module.css';
import type { Billing } from '../../plan/use-billing.ts';

/** What to do about a failed payment while Stripe retries it. */
export function PaymentDue({ billing }: { billing: Billing }) {
  if (billing.kind !== 'known' || billing.overview.subscription?.status !== 'past_due') return null;
  const unpaid = billing.overview.invoices.find(({ status }) => status === 'open');
  return <Due payAt={unpaid?.hosted_invoice_url ?? null} />;
}

type State = { kind: 'idle' } | { kind: 'leaving' } | { kind: 'refused'; sentence: string };

/** `payAt` is the address of the unpaid invoice at Stripe. */
function Due({ payAt }: { payAt: string | null }) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const isMounted = useIsMounted();

  usePageRestored(() => setState({ kind: 'idle' }));

  const updateCard = async () => {
    if (state.kind === 'leaving') return;
    setState({ kind: 'leaving' });
    const answer = await call('update-card', { body: {} });
    if (!isMounted()) return;
    if (answer.ok) location.assign(answer.value.url);
    else setState({ kind: 'refused', sentence: answer.sentence });
  };

  return (
    <section className={styles.PaymentDue} aria-labelledby="payment-due">
      <h2 id="payment-due">Your last payment didn't go through</h2>
      <p>
        You keep {plans.plus.name} while Stripe tries again over the coming days. Give a new card so that you
        don't lose it: the next try charges it. Or pay the invoice yourself at once.
      </p>
      {state.kind === 'refused' && <Notice tone="danger">{state.sentence}</Notice>}
      <div className={styles.Actions}>
        <Button aria-busy={state.kind === 'leaving'} onClick={() => void updateCard()}>
          {state.kind === 'leaving' ? 'Opening Stripe...' : 'Update Card'}
        </Button>
        {payAt && (
          <a {...buttonProps({ tone: 'secondary' })} href={payAt} target="_blank" rel="noopener noreferrer">
            Pay Invoice
            <span className="visuallyHidden"> (opens in a new tab)</span>
          </a>
        )}
      </div>
    </section>
  );
}
