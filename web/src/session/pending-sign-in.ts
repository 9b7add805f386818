import { isProviderKey, type ProviderKey } from '../../../schemas/product/providers.ts';
import { type PossibleStorage, storeIfPossible } from './store-if-possible.ts';

const KEY = 'sign-in-again';

/** A provider sign-in that follows a sign-out at the hosted domain, and the path to open then. */
export interface PendingSignIn {
  provider: ProviderKey;
  path: string;
}

/** Stores the step after Cognito's sign-out, which redirects only to registered addresses. */
export function storePendingSignIn(storage: PossibleStorage, { provider, path }: PendingSignIn): void {
  storeIfPossible(storage, KEY, new URLSearchParams({ provider, path }).toString());
}

/** Reads and removes the tab's stored sign-in; null if there is none. */
export function takePendingSignIn(storage: PossibleStorage): PendingSignIn | null {
  const stored = new URLSearchParams(storage?.getItem(KEY) ?? '');
  storage?.removeItem(KEY);
  const [provider, path] = [stored.get('provider'), stored.get('path')];
  return isProviderKey(provider) && path !== null ? { provider, path } : null;
}
