import { plans } from '../../../../../schemas/product/offers.ts';
import { product } from '../../../../../schemas/product/product.ts';
import { planDay } from '../../../plan/plan-day.ts';
import { type PlanState, planStatusOf } from '../../../plan/plan-status.ts';
import styles from '../settings.module.css';

const UNKNOWN = 'Your plan. A subscription ends at once, and what you have paid is not refunded.';

export function Consequences({ email, state }: { email: string; state: PlanState }) {
  return (
    <>
      <div className={styles.About}>
        <h3 data-plain>What will be deleted</h3>
        <p>Your account {email}, on every device.</p>
        <p>{planOf(state)}</p>
        <p>Your card and customer record at Stripe.</p>
      </div>
      <div className={styles.About}>
        <h3 data-plain>What we have to keep</h3>
        <p>Receipts for what you've paid, which Stripe keeps as the law requires.</p>
        <p>
          Your place on the Windows waitlist, if you joined it. To leave, write to {product.supportEmail}.
        </p>
      </div>
      <p>This can't be undone. You can sign up again with the same address.</p>
    </>
  );
}

function planOf(state: PlanState): string {
  const status = planStatusOf(state);
  switch (status.kind) {
    case 'free':
      return `Your ${plans.free.name} plan.`;
    case 'renews':
      return `Your ${plans[status.plan].name} subscription. It ends at once, and what you have paid is not refunded.`;
    case 'ending':
      return `Your ${plans[status.plan].name} plan. It ends at once and not on ${planDay(status.on)}, and what you have paid is not refunded.`;
    default:
      return UNKNOWN;
  }
}
