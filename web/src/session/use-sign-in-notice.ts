import { useSyncExternalStore } from 'react';
import { type SignInNotice, subscribeToNotice, waitingNotice } from './sign-in-notice.ts';

/** The notice that has not been said yet. None before hydration: the built HTML knows none. */
export const useSignInNotice = (): SignInNotice | null =>
  useSyncExternalStore(subscribeToNotice, waitingNotice, () => null);
