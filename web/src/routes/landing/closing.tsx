import type { ReactNode } from 'react';
import styles from './closing.module.css';
import { closingScript } from './demos/closing-script.ts';
import { useDemo } from './demos/use-demo.ts';

/** The end of the page. Its last words are selected as they scroll into view. */
export function Closing({ children }: { children: ReactNode }) {
  const { figure, state } = useDemo(closingScript, 'once');
  return (
    <section ref={figure} className={styles.Closing} data-below-fold aria-labelledby="closing">
      <h2 id="closing">
        Your words,{' '}
        <span className={styles.Words} data-selected={state.selected}>
          still yours
        </span>
      </h2>
      <div>
        <p>Write your first command today.</p>
        {children}
      </div>
    </section>
  );
}
