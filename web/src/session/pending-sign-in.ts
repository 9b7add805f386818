import { isProvider, type Provider } from '../../../schemas/providers.ts';
import { storeIfPossible } from './store-if-possible.ts';

const KEY = 'sign-in-again';

/** A provider sign-in that follows a sign-out at the hosted domain, and the path to open then. */
export interface PendingSignIn {
  provider: Provider;
  path: string;
}

/**
 * Cognito's sign-out redirects only to registered addresses, so the tab stores the next step. If the tab
 * can't, the user arrives at the sign-in page. `storage`: the tab's storage; null if it is forbidden.
 */
export function storePendingSignIn(
  storage: Pick<Storage, 'setItem'> | null,
  { provider, path }: PendingSignIn,
): void {
  storeIfPossible(storage, KEY, new URLSearchParams({ provider, path }).toString());
}

/** Reads and removes the tab's stored sign-in; null if there is none. */
export function takePendingSignIn(
  storage: Pick<Storage, 'getItem' | 'removeItem'> | null,
): PendingSignIn | null {
  const stored = new URLSearchParams(storage?.getItem(KEY) ?? '');
  storage?.removeItem(KEY);
  const [provider, path] = [stored.get('provider'), stored.get('path')];
  return isProvider(provider) && path !== null ? { provider, path } : null;
}
