import { clearWithoutSession } from './clear-storage.ts';
import { expiredCookies } from './expired-cookies.ts';

/** Clears local storage, session storage and cookies. */
export function clearStorage(): void {
  clearWithoutSession();
  try {
    for (const cookie of expiredCookies(document.cookie, location)) document.cookie = cookie;
  } catch {
    // A page that can't read cookies has none.
  }
}
