import { type ReactNode, useState } from 'react';
import type { Invoice } from '../../../../../schemas/shapes/invoice.ts';
import { paidNames } from '../../../../../schemas/product/offers.ts';
import { Unread } from '../../../components/unread.tsx';
import { planDay } from '../../../plan/plan-day.ts';
import { BillingPortalButton } from './billing-portal-button.tsx';
import { Card } from '../../../components/card.tsx';
import { ShortList } from '../../../components/short-list.tsx';
import styles from './invoices.module.css';
import { formatAmount } from '../../../../../schemas/product/format-amount.ts';
import { statusText } from './invoice-text.ts';
import type { Billing } from '../../../plan/shown-standing.ts';

// A year of monthly invoices.
const SHOWN_AT_FIRST = 12;

interface InvoicesProps {
  billing: Billing;
  /** Whether more invoices will come. */
  pays: boolean;
  onRetry: () => void;
  /** News above the list, once the list is read. */
  notice: ReactNode;
}

export function Invoices({ billing, pays, onRetry, notice }: InvoicesProps) {
  const [retried, setRetried] = useState(false);
  const retry = () => {
    setRetried(true);
    onRetry();
  };
  return (
    <Card title="Invoices and receipts" takesFocus={retried}>
      {billing.kind === 'loading' && <output>Loading your invoices...</output>}
      {billing.kind === 'unread' && <Unread what="invoices" sentence={billing.sentence} onRetry={retry} />}
      {notice}
      {billing.kind === 'known' && <List invoices={billing.value.invoices} />}
      {billing.kind === 'known' && pays && (
        <div data-row>
          <p data-quiet>You can add your company's name, address and tax ID to your next invoices.</p>
          <BillingPortalButton page="invoice-details" tone="secondary">
            Invoice Details
          </BillingPortalButton>
        </div>
      )}
    </Card>
  );
}

const List = ({ invoices }: { invoices: readonly Invoice[] }) =>
  invoices.length === 0 ? (
    <p data-quiet>No invoices yet. They are listed here once you buy {paidNames}.</p>
  ) : (
    <ShortList items={invoices} first={SHOWN_AT_FIRST} name="Invoices" className={styles.Invoices}>
      {(invoice) => <Row key={invoice.number ?? invoice.date} invoice={invoice} />}
    </ShortList>
  );

function Row({ invoice }: { invoice: Invoice }) {
  const { number, date, amount, tax, currency, status, hosted_invoice_url: page, invoice_pdf: pdf } = invoice;
  const name = number ?? `of ${planDay(date)}`;
  return (
    <li className={styles.Invoice}>
      <time dateTime={date}>{planDay(date)}</time>
      <span className={styles.Amount}>{formatAmount(amount, currency, tax)}</span>
      <span className={styles.Status} data-quiet data-due={status === 'open' && !invoice.processing}>
        {statusText(invoice)}
      </span>
      <span className={styles.Documents}>
        {page && <DocumentLink href={page} label={status === 'paid' ? 'Receipt' : 'Invoice'} name={name} />}
        {pdf && <DocumentLink href={pdf} label="PDF" name={name} />}
      </span>
    </li>
  );
}

/** A link that opens in a new tab, which can't access this one. */
function DocumentLink({ href, label, name }: { href: string; label: string; name: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <span>{label}</span>
      <span className="visuallyHidden"> {name} (opens in a new tab)</span>
    </a>
  );
}
