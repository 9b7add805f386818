import { persistentStorage, tabStorage } from './browser-storage.ts';

// A relay flow belongs to another app, not to the site's session.
const belongsToRelay = (key: string): boolean =>
  key.startsWith('relay.') && location.pathname.startsWith('/oauth/');

function clearTab(): void {
  const tab = tabStorage();
  for (const key of Object.keys(tab ?? {})) if (!belongsToRelay(key)) tab?.removeItem(key);
}

/** Clears local and session storage of a browser without a session. The cookie of a sign-up stays. */
export function clearWithoutSession(): void {
  clearTab();
  persistentStorage()?.clear();
}
