import { useLocation } from 'react-router-dom';
import type { BillingOverview } from '../../../../schemas/billing.ts';
import { plans } from '../../../../schemas/product.ts';
import { ButtonLink, buttonProps } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { planDay } from '../../plan/plan-day.ts';
import type { Billing } from '../../plan/use-billing.ts';
import { News } from './news.tsx';
import { UpdateCardButton } from './update-card-button.tsx';

const { name } = plans.plus;

/** What has happened to the user's payments. Nothing is shown where nothing has. */
export function PlanNews({ billing }: { billing: Billing }) {
  // Stripe's page leads back with it after a card was given. It only adds a sentence: anybody can write it.
  const cardWasGiven = new URLSearchParams(useLocation().search).get('card') === 'new';
  if (billing.kind !== 'known') return null;
  const { subscription, lostAt, invoices } = billing.overview;
  const unpaid = invoices.find(({ status }) => status === 'open')?.hosted_invoice_url ?? null;
  if (lostAt !== null) return <PlusLost since={lostAt} />;
  switch (subscription?.status) {
    case 'past_due':
      return <PaymentDue {...subscription} payAt={unpaid} cardWasGiven={cardWasGiven} />;
    case 'unpaid':
      return <PlusPaused payAt={unpaid} />;
    case 'active':
      return cardWasGiven ? <Notice tone="success">Your new card was taken. Nothing is due.</Notice> : null;
    default:
      return null;
  }
}

interface PaymentDueProps extends Pick<NonNullable<BillingOverview['subscription']>, 'nextTry'> {
  /** Stripe's page of the unpaid invoice. */
  payAt: string | null;
  cardWasGiven: boolean;
}

/** What to do about a failed payment while Stripe retries it. */
function PaymentDue({ nextTry, payAt, cardWasGiven }: PaymentDueProps) {
  const pay = payAt !== null && <PayInvoice href={payAt} />;
  const day = nextTry !== null && <time dateTime={nextTry}>{planDay(nextTry)}</time>;
  if (cardWasGiven) {
    return (
      <News
        title="Your new card was taken"
        tone="success"
        actions={
          <>
            {pay}
            <UpdateCardButton tone="secondary" />
          </>
        }
      >
        <p>
          {day ? (
            <>
              Stripe tries the payment again on {day}, and you keep {name} until then.
            </>
          ) : (
            <>You keep {name} while Stripe tries the payment again.</>
          )}{' '}
          Or pay the invoice yourself at once.
        </p>
      </News>
    );
  }
  return (
    <News
      title="Your last payment didn't go through"
      tone="danger"
      actions={
        <>
          <UpdateCardButton />
          {pay}
        </>
      }
    >
      <p>
        You keep {name} while Stripe tries again{day ? <>, next on {day}</> : ' over the coming days'}. Give a
        new card so that you don't lose it: the next try charges it. Or pay the invoice yourself at once.
      </p>
    </News>
  );
}

/** Only paying the invoice brings Plus back. Stripe makes no further try. */
function PlusPaused({ payAt }: { payAt: string | null }) {
  return (
    <News
      title={`${name} is paused because your payments failed`}
      tone="plain"
      actions={payAt !== null && <PayInvoice href={payAt} />}
    >
      <p>Stripe doesn't try again by itself. Pay the open invoice, and {name} is back.</p>
    </News>
  );
}

function PlusLost({ since }: { since: string }) {
  return (
    <News
      title={`${name} ended because your payments failed`}
      tone="plain"
      actions={<ButtonLink to="/checkout?plan=plus">Get {name} Again</ButtonLink>}
    >
      <p>
        Stripe tried your card several times. Since <time dateTime={since}>{planDay(since)}</time> you are on{' '}
        {plans.free.name}. You owe nothing, and nothing more is charged.
      </p>
    </News>
  );
}

function PayInvoice({ href }: { href: string }) {
  return (
    <a {...buttonProps({ tone: 'secondary' })} href={href} target="_blank" rel="noopener noreferrer">
      Pay Invoice
      <span className="visuallyHidden"> (opens in a new tab)</span>
    </a>
  );
}
