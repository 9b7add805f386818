import type { ReactNode } from 'react';
import type { PlanFacts } from '../../../../schemas/product/plans-and-offers.ts';
import type { Offer } from '../../../../schemas/product/offers.ts';
import { Card } from '../../components/card.tsx';
import { FeatureList } from '../../components/feature-list.tsx';
import styles from './plan-card.module.css';

export interface CardState {
  badge?: 'Current Plan' | 'Expires Soon';
  note?: ReactNode;
  action?: ReactNode;
  below?: string;
  /** Text in place of an action. */
  aside?: ReactNode;
}

interface PlanCardProps {
  plan: PlanFacts;
  prices: readonly Pick<Offer, 'price' | 'period'>[];
  meanings: readonly string[];
  chosen?: boolean;
  /** Visitors read what a plan has, and then find the button. */
  visitor: CardState | false;
  /** Account holders know the plans: their button comes before the features, and a note after them. */
  holder: CardState | false;
}

export function PlanCard({ plan, prices, meanings, chosen = false, visitor, holder }: PlanCardProps) {
  const badge = holder ? holder.badge : undefined;
  return (
    <Card
      className={styles.PlanCard}
      title={plan.name}
      badge={badge}
      data-current={badge !== undefined}
      data-chosen={chosen}
    >
      {prices.map(({ price, period }) => (
        <p key={period} className={styles.Price}>
          {price} <span>{period}</span>
        </p>
      ))}
      <p className={styles.Description}>{plan.description}</p>
      {holder && (
        <div data-for="holder">
          <div className={styles.First}>{holder.action ?? <p>{holder.aside}</p>}</div>
        </div>
      )}
      <div className={styles.Features}>
        <FeatureList features={plan.features} meanings={meanings} />
      </div>
      {visitor && (
        <div data-for="visitor">
          <div className={styles.Last}>
            {visitor.action}
            {visitor.below && <p className={styles.Below}>{visitor.below}</p>}
          </div>
        </div>
      )}
      {holder && holder.note && (
        <div data-for="holder">
          <p className={styles.Note}>{holder.note}</p>
        </div>
      )}
    </Card>
  );
}
