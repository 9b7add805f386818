import { useLocation } from 'react-router-dom';
import { plans } from '../../../../schemas/product.ts';
import { ButtonLink, buttonProps, type ButtonVariant } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { planDay } from '../../plan/plan-day.ts';
import type { Billing } from '../../plan/use-billing.ts';
import { News } from './news.tsx';
import { paymentNewsOf } from './payment-news.ts';
import { UpdateCardButton } from './update-card-button.tsx';

const { name } = plans.plus;

/** What has happened to the user's payments, and what to do about it. */
export function PlanNews({ billing }: { billing: Billing }) {
  const cardTaken = new URLSearchParams(useLocation().search).get('card') === 'new';
  if (billing.kind !== 'known') return null;
  const news = paymentNewsOf(billing.overview, cardTaken);
  switch (news.kind) {
    case 'none':
      return null;
    case 'due':
      return news.cardTaken ? <CardTaken {...news} /> : <PaymentDue {...news} />;
    case 'paused':
      return <PlusPaused payAt={news.payAt} />;
    case 'lost':
      return <PlusLost since={news.since} />;
    default:
      return <Notice tone="success">Your new card was taken. Nothing is due.</Notice>;
  }
}

interface DueProps {
  nextTry: string | null;
  payAt: string | null;
}

/** What to do about a failed payment while Stripe retries it. */
function PaymentDue({ nextTry, payAt }: DueProps) {
  return (
    <News
      title="Your last payment didn't go through"
      tone="danger"
      actions={
        <>
          <UpdateCardButton />
          <PayInvoice href={payAt} />
        </>
      }
    >
      <p>
        You keep {name} while Stripe tries again
        {nextTry === null ? (
          ' over the coming days'
        ) : (
          <>
            , next on <Day of={nextTry} />
          </>
        )}
        . Give a new card so that you don't lose it: the next try charges it. Or pay the invoice yourself at
        once.
      </p>
    </News>
  );
}

function CardTaken({ nextTry, payAt }: DueProps) {
  return (
    <News
      title="Your new card was taken"
      tone="success"
      actions={
        <>
          <PayInvoice href={payAt} />
          <UpdateCardButton tone="secondary" />
        </>
      }
    >
      <p>
        {nextTry === null ? (
          <>You keep {name} while Stripe tries the payment again.</>
        ) : (
          <>
            Stripe tries the payment again on <Day of={nextTry} />, and you keep {name} until then.
          </>
        )}{' '}
        Or pay the invoice yourself at once.
      </p>
    </News>
  );
}

function PlusPaused({ payAt }: { payAt: string | null }) {
  return (
    <News
      title={`${name} is paused because your payments failed`}
      tone="plain"
      actions={<PayInvoice href={payAt} tone="primary" />}
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
        Stripe tried your card several times. Since <Day of={since} /> you are on {plans.free.name}. You owe
        nothing, and nothing more is charged.
      </p>
    </News>
  );
}

const Day = ({ of: moment }: { of: string }) => <time dateTime={moment}>{planDay(moment)}</time>;

/** `href`: Stripe's page of the invoice, if there is one. */
function PayInvoice({ href, tone = 'secondary' }: { href: string | null } & Pick<ButtonVariant, 'tone'>) {
  if (href === null) return null;
  return (
    <a {...buttonProps({ tone })} href={href} target="_blank" rel="noopener noreferrer">
      Pay Invoice
      <span className="visuallyHidden"> (opens in a new tab)</span>
    </a>
  );
}
