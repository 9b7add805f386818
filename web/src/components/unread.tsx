import { Notice } from './notice.tsx';

interface UnreadProps {
  /** The missing thing, after "your". */
  what: 'plan' | 'invoices' | 'sessions';
  sentence: string;
  reading?: boolean;
  onRetry: () => void;
}

/** Stands in place of something about the user that couldn't be read. */
export const Unread = ({ what, sentence, reading = false, onRetry }: UnreadProps) => (
  <Notice tone="danger">
    We couldn't load your {what} just now. <span>{sentence}</span>{' '}
    <button type="button" data-link aria-busy={reading} onClick={onRetry}>
      Try Again
    </button>
  </Notice>
);
