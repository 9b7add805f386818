import { isProvider, type Provider } from '../../../schemas/providers.ts';
import { tabStorage } from './browser-storage.ts';

const KEY = 'sign-in-again';

/** A provider sign-in that follows a sign-out there, and the path of this site to open after it. */
export interface PendingSignIn {
  provider: Provider;
  path: string;
}

/** Cognito's sign-out redirects to registered addresses only, so the tab stores what comes next. */
export function storePendingSignIn({ provider, path }: PendingSignIn): void {
  tabStorage()?.setItem(KEY, new URLSearchParams({ provider, path }).toString());
}

/** Reads and removes what this tab stored; null if nothing. */
export function takePendingSignIn(): PendingSignIn | null {
  const stored = new URLSearchParams(tabStorage()?.getItem(KEY) ?? '');
  tabStorage()?.removeItem(KEY);
  const [provider, path] = [stored.get('provider'), stored.get('path')];
  return isProvider(provider) && path !== null ? { provider, path } : null;
}
