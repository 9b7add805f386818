import { Notice } from './notice.tsx';
import styles from './unread-plan.module.css';

/** For a page that shows a plan, if it couldn't be read. */
export function UnreadPlan({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  return (
    <Notice>
      We couldn't read your plan just now. {sentence}{' '}
      <button type="button" className={styles.Retry} onClick={onRetry}>
        Try Again
      </button>
    </Notice>
  );
}
