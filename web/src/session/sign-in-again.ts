import { tabStore } from './browser-storage.ts';
import type { Provider } from './provider-return.ts';

const KEY = 'sign-in-again';

/** A sign-in at `provider` that is to follow a sign-out there, and the path of this site to go on to after it. */
export interface SignInAgain {
  provider: Provider;
  path: string;
}

/**
 * Notes what is to follow. Signing out at the provider's hosted session leads to the home page and nowhere else: that
 * is the one address the user pool has registered for it.
 */
export function noteSignInAgain({ provider, path }: SignInAgain): void {
  tabStore()?.setItem(KEY, new URLSearchParams({ provider, path }).toString());
}

/** What this tab has noted, once; null if nothing. */
export function takeSignInAgain(): SignInAgain | null {
  const noted = new URLSearchParams(tabStore()?.getItem(KEY) ?? '');
  tabStore()?.removeItem(KEY);
  const [provider, path] = [noted.get('provider'), noted.get('path')];
  return (provider === 'Google' || provider === 'GitHub') && path !== null ? { provider, path } : null;
}
