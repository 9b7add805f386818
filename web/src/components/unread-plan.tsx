import { Notice } from './notice.tsx';
import styles from './unread-plan.module.css';

/** For a page that shows Free because the plan couldn't be read. */
export function UnreadPlan({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  return (
    <Notice>
      We couldn't read your plan just now, so this page shows Free. {sentence}{' '}
      <button type="button" className={styles.Retry} onClick={onRetry}>
        Try Again
      </button>
    </Notice>
  );
}
