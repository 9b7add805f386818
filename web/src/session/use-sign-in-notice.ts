import { useSyncExternalStore } from 'react';
import { type SignInNotice, subscribeToNotice, waitingNotice } from './sign-in-notice.ts';

/** The notice that has not been shown yet. None before hydration, since the built HTML has none. */
export const useSignInNotice = (): SignInNotice | null =>
  useSyncExternalStore(subscribeToNotice, waitingNotice, () => null);
