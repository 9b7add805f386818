import { useState } from 'react';
import type { Invoice } from '../../../../schemas/invoice.ts';
import { plans } from '../../../../schemas/product.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { longDate } from '../../plan/long-date.ts';
import { Card } from './card.tsx';
import styles from './invoices.module.css';
import { moneyOf, statusOf } from './invoices-in-words.ts';
import type { Billing } from './use-billing.ts';

// A year of them.
const SHOWN_AT_FIRST = 12;

/** What was billed, and Stripe's papers of it. */
export function Invoices({ billing, onRetry }: { billing: Billing; onRetry: () => void }) {
  return (
    <Card title="Invoices and receipts">
      {billing.kind === 'loading' && <output>Loading your invoices...</output>}
      {billing.kind === 'unread' && (
        <>
          <Notice tone="danger">We couldn't read your invoices just now. {billing.sentence}</Notice>
          <div>
            <Button tone="secondary" onClick={onRetry}>
              Try Again
            </Button>
          </div>
        </>
      )}
      {billing.kind === 'known' && <List invoices={billing.overview.invoices} />}
    </Card>
  );
}

function List({ invoices }: { invoices: readonly Invoice[] }) {
  const [all, setAll] = useState(false);
  if (invoices.length === 0) {
    return (
      <p className={styles.None}>No invoices yet. They are listed here once you buy {plans.plus.name}.</p>
    );
  }
  return (
    <>
      <ul className={styles.Invoices}>
        {invoices.slice(0, all ? undefined : SHOWN_AT_FIRST).map((invoice) => (
          <Entry key={invoice.number ?? invoice.date} invoice={invoice} />
        ))}
      </ul>
      {!all && invoices.length > SHOWN_AT_FIRST && (
        <div>
          <Button tone="secondary" onClick={() => setAll(true)}>
            Show All {invoices.length} Invoices
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({ invoice }: { invoice: Invoice }) {
  const { number, date, amount, currency, status, hosted_invoice_url: page, invoice_pdf: pdf } = invoice;
  const name = number ?? `of ${longDate(date)}`;
  return (
    <li className={styles.Invoice}>
      <time dateTime={date}>{longDate(date)}</time>
      <span className={styles.Amount}>{moneyOf(amount, currency)}</span>
      <span className={styles.Status} data-due={status === 'open'}>
        {statusOf(invoice)}
      </span>
      <span className={styles.Papers}>
        {page && <Paper href={page} label={status === 'paid' ? 'Receipt' : 'Invoice'} name={name} />}
        {pdf && <Paper href={pdf} label="PDF" name={name} />}
      </span>
    </li>
  );
}

/** Stripe's page opens in a tab of its own, which learns nothing of this one. */
function Paper({ href, label, name }: { href: string; label: string; name: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {label}
      <span className="visuallyHidden"> {name} (opens in a new tab)</span>
    </a>
  );
}
