import type { ReactNode } from 'react';
import styles from './demo-frame.module.css';
import type { Demo } from './use-demo.ts';

interface DemoFrameProps {
  demo: Pick<Demo<unknown>, 'figure'>;
  children: ReactNode;
}

export const DemoFrame = ({ demo: { figure }, children }: DemoFrameProps) => (
  <figure ref={figure} className={styles.Frame}>
    {children}
  </figure>
);
