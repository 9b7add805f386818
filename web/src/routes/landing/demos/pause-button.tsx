import styles from './pause-button.module.css';
import { usePaused } from './use-demo.ts';

/** The only control that stops and starts the page's demos. Stays in the window as long as the demos do. */
export function PauseButton() {
  const [paused, toggle] = usePaused();
  const label = `${paused ? 'Play' : 'Pause'} the demos`;
  return (
    <div className={styles.Pause}>
      <button type="button" aria-label={label} onClick={toggle}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path fill="currentColor" d={paused ? 'M3 1v14l11-7z' : 'M2 1h4v14H2zm8 0h4v14h-4z'} />
        </svg>
      </button>
    </div>
  );
}
