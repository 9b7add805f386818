import { persistentStorage } from '../../session/browser-storage.ts';
import { Notice } from '../notice.tsx';

/** Says what sign-in needs, where the browser forbids storage. Not for pages whose content is prerendered. */
export function StorageNotice() {
  if (persistentStorage()) return null;
  return (
    <Notice>
      Signing in needs cookies and site data, which your browser doesn't allow here: until you allow them, you
      can sign in with a password only, and stay signed in until you reload or close this page.
    </Notice>
  );
}
