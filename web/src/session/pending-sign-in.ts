import { isProvider, type Provider } from '../../../schemas/providers.ts';
import { storeIfPossible } from './store-if-possible.ts';

const KEY = 'sign-in-again';

/** A provider sign-in that follows a sign-out there, and the path of this site to open after it. */
export interface PendingSignIn {
  provider: Provider;
  path: string;
}

/**
 * Cognito's sign-out redirects to registered addresses only, so the tab stores what comes next. If it can't,
 * the user finds the sign-in page. `storage`: the tab's; null if it is forbidden.
 */
export function storePendingSignIn(
  storage: Pick<Storage, 'setItem'> | null,
  { provider, path }: PendingSignIn,
): void {
  storeIfPossible(storage, KEY, new URLSearchParams({ provider, path }).toString());
}

/** Reads and removes what this tab stored; null if nothing. */
export function takePendingSignIn(
  storage: Pick<Storage, 'getItem' | 'removeItem'> | null,
): PendingSignIn | null {
  const stored = new URLSearchParams(storage?.getItem(KEY) ?? '');
  storage?.removeItem(KEY);
  const [provider, path] = [stored.get('provider'), stored.get('path')];
  return isProvider(provider) && path !== null ? { provider, path } : null;
}
