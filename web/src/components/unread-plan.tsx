import { Notice } from './notice.tsx';
import styles from './unread-plan.module.css';

interface UnreadPlanProps {
  sentence: string;
  /** Whether the plan is being read again. */
  reading: boolean;
  onRetry: () => void;
}

/** Shown on pages about a plan if the plan couldn't be read. */
export function UnreadPlan({ sentence, reading, onRetry }: UnreadPlanProps) {
  return (
    <Notice>
      We couldn't load your plan just now. <span>{sentence}</span>{' '}
      <button type="button" className={styles.Retry} aria-busy={reading} onClick={onRetry}>
        Try Again
      </button>
    </Notice>
  );
}
