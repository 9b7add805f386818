import { ButtonLink, buttonProps, type ButtonVariant } from '../../../components/button.tsx';
import { PlanText } from '../../../components/plan-text.tsx';
import { checkoutOf, nameOf, offerOf } from '../../../plan/known-plan.ts';
import type { PlanNews } from '../../../plan/plan-news.ts';
import { BillingPortalButton } from './billing-portal-button.tsx';
import styles from './news.module.css';
import { paymentNewsOf } from './plan-sentences.ts';

/** The id of the news, for links to them. */
export const NEWS = 'payment';

/** The news about the user's payments, and what to do about it. */
export function PaymentNotice({ news, cardTaken }: { news: PlanNews; cardTaken: boolean }) {
  const said = paymentNewsOf(news, cardTaken);
  if (said === null) return null;
  const payAt = 'payAt' in news ? news.payAt : null;
  const actions = said.actions.filter((action) => action !== 'pay-invoice' || payAt !== null);
  return (
    <section className={styles.News} id={NEWS} data-tone={said.tone} aria-labelledby={`${NEWS}-title`}>
      <h2 id={`${NEWS}-title`}>{said.title}</h2>
      <p>
        <PlanText of={said.body} />
      </p>
      {actions.length > 0 && (
        <div className={styles.Actions}>
          {actions.map((action, index) => {
            const tone = index === 0 ? 'primary' : 'secondary';
            if (action === 'update-card') {
              return (
                <BillingPortalButton key={action} page="card" tone={tone}>
                  Update Card
                </BillingPortalButton>
              );
            }
            if (action === 'pay-invoice') return <PayInvoice key={action} tone={tone} href={payAt} />;
            if (action === 'cancel') {
              return (
                <ButtonLink key={action} tone="secondary" to="/cancel">
                  Cancel Subscription
                </ButtonLink>
              );
            }
            return (
              <ButtonLink key={action} tone={tone} to={checkoutOf(offerOf(news))}>
                {action === 'try-again' ? 'Try Again' : `Get ${nameOf(news)} Again`}
              </ButtonLink>
            );
          })}
        </div>
      )}
    </section>
  );
}

/** `href`: Stripe's page of the invoice. */
function PayInvoice({ href, tone = 'secondary' }: { href: string | null } & Pick<ButtonVariant, 'tone'>) {
  if (href === null) return null;
  return (
    <a {...buttonProps({ tone })} href={href} target="_blank" rel="noopener noreferrer">
      Pay Invoice
      <span className="visuallyHidden"> (opens in a new tab)</span>
    </a>
  );
}
