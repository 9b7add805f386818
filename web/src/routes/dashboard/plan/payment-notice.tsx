import { ButtonLink, buttonProps, type ButtonVariant } from '../../../components/button.tsx';
import { noticeProps } from '../../../components/notice.tsx';
import { PlanText } from '../../../components/plan-text.tsx';
import { checkoutOf, nameOf, offerOf } from '../../../../../schemas/product/known-plan.ts';
import type { PlanAction } from '../../../plan/plan-line.ts';
import type { ShownStanding } from '../../../plan/shown-standing.ts';
import { BillingPortalButton } from './billing-portal-button.tsx';
import styles from './notice.module.css';
import { paymentNoticeOf } from './plan-sentences.ts';

/** The id of the notice, for links to it. */
export const NOTICE = 'payment';

export function PaymentNotice({ standing, cardTaken }: { standing: ShownStanding; cardTaken: boolean }) {
  const said = paymentNoticeOf(standing, cardTaken);
  if (said === null) return null;
  return (
    <section {...noticeProps(said.tone, styles.Notice)} id={NOTICE} aria-labelledby={`${NOTICE}-title`}>
      <h2 id={`${NOTICE}-title`}>
        <PlanText of={said.title} />
      </h2>
      <p>
        <PlanText of={said.body} />
      </p>
      {said.actions.length > 0 && (
        <div className={styles.Actions} data-actions>
          {said.actions.map((action, index) => (
            <Action
              key={action}
              action={action}
              standing={standing}
              tone={index === 0 ? 'primary' : 'secondary'}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function Action({
  action,
  standing,
  ...variant
}: { action: PlanAction; standing: ShownStanding } & ButtonVariant) {
  switch (action) {
    case 'update-card':
      return (
        <BillingPortalButton page="card" {...variant}>
          Update Card
        </BillingPortalButton>
      );
    case 'pay-invoice':
      return (
        <a
          {...buttonProps(variant)}
          href={('payAt' in standing && standing.payAt) || undefined}
          target="_blank"
          rel="noopener noreferrer"
        >
          Pay Invoice
          <span className="visuallyHidden"> (opens in a new tab)</span>
        </a>
      );
    case 'cancel':
      return (
        <ButtonLink to="/cancel" tone="secondary">
          Cancel Subscription
        </ButtonLink>
      );
    default:
      return (
        <ButtonLink to={checkoutOf(offerOf(standing))} {...variant}>
          {action === 'try-again' ? 'Try Again' : `Get ${nameOf(standing)} Again`}
        </ButtonLink>
      );
  }
}
