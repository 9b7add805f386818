import { Notice } from '../notice.tsx';
import styles from './account.module.css';

/** Says that sign-in needs storage. In every form's HTML, and visible if the browser forbids storage. */
export function StorageNotice() {
  return (
    <div className={styles.StorageNotice}>
      <Notice>
        Signing in needs cookies and site data, which your browser doesn't allow here, as in some private
        windows and in browsers inside other apps. Until you allow them, or open this page in Safari, Chrome
        or Firefox, you can sign in with a password only, and stay signed in until you reload or close this
        page.
      </Notice>
    </div>
  );
}
