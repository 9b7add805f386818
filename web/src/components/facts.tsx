import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Facts by their names. A fact without a value isn't shown. */
export const Facts = ({ of: facts }: { of: Record<string, ReactNode> }) => (
  <dl className={styles.Facts}>
    {Object.entries(facts).map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
