import { useSyncExternalStore } from 'react';
import type { SignInNotice } from './sign-in-notice.ts';
import { storeOf } from './store.ts';

/** The notice in this page's memory; null once it has been shown. */
const waiting = storeOf<SignInNotice | null>(null);

export const setSignInNotice = waiting.set;

/** None before hydration, since the built HTML has none. */
export const useSignInNotice = (): SignInNotice | null =>
  useSyncExternalStore(waiting.subscribe, waiting.get, () => null);
