import type { ReactNode } from 'react';
import styles from './demo-frame.module.css';
import { type Demo, usePaused } from './use-demo.ts';

/** A demo with its caption and the button that pauses all demos. */
export function DemoFrame({
  demo: { figure },
  caption,
  children,
}: {
  demo: Pick<Demo<unknown>, 'figure'>;
  caption: string;
  children: ReactNode;
}) {
  return (
    <figure ref={figure} className={styles.Frame}>
      {children}
      <figcaption className={styles.Caption}>
        {caption}
        <PauseButton />
      </figcaption>
    </figure>
  );
}

function PauseButton() {
  const [paused, setPaused] = usePaused();
  return (
    <button type="button" className={styles.Pause} onClick={() => setPaused(!paused)}>
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        <path fill="currentColor" d={paused ? 'M3 1v14l11-7z' : 'M2 1h4v14H2zm8 0h4v14h-4z'} />
      </svg>
      {paused ? 'Play' : 'Pause'}
      <span className="visuallyHidden"> the demos</span>
    </button>
  );
}
