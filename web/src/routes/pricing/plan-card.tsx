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
  /** Why there is no action. */
  explanation?: ReactNode;
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
      <p className={styles.Description} data-quiet>
        {plan.description}
      </p>
      {holder && (
        <div data-for="holder">
          <div className={styles.First} data-stack="3">
            {holder.action ?? <p>{holder.explanation}</p>}
          </div>
        </div>
      )}
      <div className={styles.Features}>
        <FeatureList features={plan.features} meanings={meanings} />
      </div>
      {visitor && (
        <div data-for="visitor">
          <div className={styles.Last} data-stack="3">
            {visitor.action}
            {visitor.below && <p data-facts>{visitor.below}</p>}
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
