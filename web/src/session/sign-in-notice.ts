/*
 * What the sign-in page says once about why the user is there: in this page's memory, for this tab's next
 * page load, and for the other tabs of this browser.
 */

const NOTICES = [
  /** The user signed out in this tab, or everywhere. */
  'signed-out',
  'signed-out-everywhere',
  /** The user signed out in another tab of this browser, or deleted the account there. */
  'other-tab',
  'deleted',
  /** Cognito refused to refresh the session. */
  'revoked',
  'expired',
  'blocked',
  'gone',
  /** The session is over, and the reason isn't known. */
  'unknown',
  /** The user made a change that ended the session here too. */
  'password-changed',
  'address-changed',
  /** The user turned back at the provider. */
  'cancelled',
] as const;

export type SignInNotice = (typeof NOTICES)[number];

const KEY = 'sign-in-notice';

let waiting: SignInNotice | null = null;
const listeners = new Set<() => void>();

/** Null once it has been said. */
export function setSignInNotice(notice: SignInNotice | null): void {
  waiting = notice;
  for (const listener of listeners) listener();
}

export function subscribeToNotice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The notice that has not been said yet. */
export const waitingNotice = (): SignInNotice | null => waiting;

export interface StoredNotice {
  notice: SignInNotice;
  /** The path of this site to open after the next sign-in; null for the dashboard. */
  from: string | null;
}

/** For the next page of this tab, which is loaded anew. `storage`: the tab's; null if it is forbidden. */
export function storeSignInNotice(
  storage: Pick<Storage, 'setItem'> | null,
  { notice, from }: StoredNotice,
): void {
  const stored = new URLSearchParams({ notice, ...(from !== null && { from }) });
  storage?.setItem(KEY, stored.toString());
}

/** Whether a tab with this storage has stored a notice. */
export const hasStoredNotice = (storage: Pick<Storage, 'getItem'> | null): boolean =>
  typeof storage?.getItem(KEY) === 'string';

/** Reads and removes what the tab stored; null if nothing. */
export function takeStoredNotice(
  storage: Pick<Storage, 'getItem' | 'removeItem'> | null,
): StoredNotice | null {
  const stored = new URLSearchParams(storage?.getItem(KEY) ?? '');
  storage?.removeItem(KEY);
  const notice = noticeOf(stored.get('notice'));
  return notice && { notice, from: stored.get('from') };
}

/**
 * Tells the other tabs why the session is about to leave `storage`, which all tabs share. Nothing is left
 * behind.
 */
export function announceToOtherTabs(
  storage: Pick<Storage, 'setItem' | 'removeItem'> | null,
  notice: SignInNotice,
): void {
  storage?.setItem(KEY, notice);
  storage?.removeItem(KEY);
}

/** The notice in a storage event of another tab; null for any other event. */
export const announcedNotice = ({
  key,
  newValue,
}: {
  key: string | null;
  newValue: string | null;
}): SignInNotice | null => (key === KEY ? noticeOf(newValue) : null);

const noticeOf = (text: string | null): SignInNotice | null =>
  NOTICES.find((notice) => notice === text) ?? null;
