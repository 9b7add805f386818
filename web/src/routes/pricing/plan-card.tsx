import { type ReactNode, useId } from 'react';
import type { plans } from '../../../../schemas/product.ts';
import { FeatureList } from '../../components/feature-list.tsx';
import styles from './plan-card.module.css';

export interface CardState {
  badge?: 'Current Plan' | 'Expires Soon';
  note?: ReactNode;
  action?: ReactNode;
}

export function PlanCard({
  plan,
  badge,
  note,
  action,
}: CardState & { plan: (typeof plans)[keyof typeof plans] }) {
  const title = useId();
  return (
    <section className={styles.PlanCard} data-current={badge !== undefined} aria-labelledby={title}>
      <div className={styles.Head}>
        <h2 id={title}>{plan.name}</h2>
        {badge && <span className={styles.Badge}>{badge}</span>}
      </div>
      <p className={styles.Price}>
        {plan.price} <span>{plan.period}</span>
      </p>
      <p className={styles.Description}>{plan.description}</p>
      <div className={styles.Features}>
        <FeatureList features={plan.features} />
      </div>
      {note && <p className={styles.Note}>{note}</p>}
      {action && <div className={styles.Action}>{action}</div>}
    </section>
  );
}
