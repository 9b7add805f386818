import { Notice } from './notice.tsx';
import styles from './unread-plan.module.css';

interface UnreadPlanProps {
  sentence: string;
  /** Whether the plan is read again. */
  reading: boolean;
  onRetry: () => void;
}

/** For a page that shows a plan, if it couldn't be read. */
export function UnreadPlan({ sentence, reading, onRetry }: UnreadPlanProps) {
  return (
    <Notice>
      We couldn't read your plan just now. {sentence}{' '}
      <button type="button" className={styles.Retry} aria-busy={reading} onClick={onRetry}>
        Try Again
      </button>
    </Notice>
  );
}
