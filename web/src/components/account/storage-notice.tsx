import { Notice } from '../notice.tsx';
import styles from './account.module.css';

/**
 * Says what sign-in needs. Part of every form's HTML, and visible where the browser forbids storage: the
 * head script knows that before the first paint.
 */
export function StorageNotice() {
  return (
    <div className={styles.StorageNotice}>
      <Notice>
        Signing in needs cookies and site data, which your browser doesn't allow here: until you allow them,
        you can sign in with a password only, and stay signed in until you reload or close this page.
      </Notice>
    </div>
  );
}
