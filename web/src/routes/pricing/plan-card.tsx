import { type ReactNode, useId } from 'react';
import type { plans } from '../../../../schemas/product.ts';
import { FeatureList } from '../../components/feature-list.tsx';
import styles from './plan-card.module.css';

export interface CardState {
  badge?: 'Current Plan' | 'Expires Soon';
  /** A highlighted note. */
  note?: ReactNode;
  action?: ReactNode;
  /** Small text below the action. */
  below?: string;
  /** Text in place of an action. */
  aside?: string;
}

interface PlanCardProps {
  plan: (typeof plans)[keyof typeof plans];
  /** The meaning of each feature. */
  meanings: readonly string[];
  /** Whether the card stands out. */
  chosen?: boolean;
  /** The end of the card for visitors. */
  visitor: CardState | false;
  /** The end of the card for account holders. */
  holder: CardState | false;
}

export function PlanCard({ plan, meanings, chosen = false, visitor, holder }: PlanCardProps) {
  const title = useId();
  const badge = holder ? holder.badge : undefined;
  return (
    <section
      className={styles.PlanCard}
      data-current={badge !== undefined}
      data-chosen={chosen}
      aria-labelledby={title}
    >
      <div className={styles.Head}>
        <h2 id={title}>{plan.name}</h2>
        {badge && <span className={styles.Badge}>{badge}</span>}
      </div>
      <p className={styles.Price}>
        {plan.price} <span>{plan.period}</span>
      </p>
      <p className={styles.Description}>{plan.description}</p>
      <div className={styles.Features}>
        <FeatureList features={plan.features} meanings={meanings} />
      </div>
      {visitor && <End {...visitor} for="visitor" />}
      {holder && <End {...holder} for="holder" />}
    </section>
  );
}

function End({ note, action, below, aside, for: reader }: CardState & { for: 'visitor' | 'holder' }) {
  return (
    <div data-for={reader}>
      {note && <p className={styles.Note}>{note}</p>}
      {action && (
        <div className={styles.Action}>
          {action}
          {below && <p className={styles.Below}>{below}</p>}
        </div>
      )}
      {aside && <p className={styles.Aside}>{aside}</p>}
    </div>
  );
}
