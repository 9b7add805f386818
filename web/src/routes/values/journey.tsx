import { Mark } from '../../components/mark.tsx';
import styles from './your-text.module.css';

const DESCRIPTION =
  'The text, a command and its contexts go from your Mac to an AI provider, and the answer comes back.';

export const Journey = () => (
  // An image made of HTML.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div className={styles.Journey} role="img" aria-label={DESCRIPTION}>
    <div aria-hidden="true">
      <p data-stack="2">
        <b>Your Mac</b>
        <span>
          It hopes <mark>this finds you well</mark>
        </span>
        <span className={styles.Command}>
          <Mark /> Say it plainly
        </span>
      </p>
      <svg viewBox="0 0 120 64">
        <path d="M4 18h104m-9-8 10 8-10 8M116 46H12m9-8-10 8 10 8" />
      </svg>
      <p className={styles.Provider} data-stack="2">
        <b>AI provider</b>
        <span>answers</span>
      </p>
    </div>
  </div>
);
