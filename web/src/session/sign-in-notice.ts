import { type PossibleStorage, storeIfPossible } from './store-if-possible.ts';

/* The notice on the sign-in page, for the next page load and for the other tabs. */

const NOTICES = [
  /** The user signed out in this tab, or everywhere. */
  'signed-out',
  'signed-out-everywhere',
  /** The user signed out in this tab, but Cognito couldn't be told. */
  'not-revoked',
  /** The user signed out in another tab of this browser, or deleted the account there. */
  'other-tab',
  'deleted',
  /** Cognito refused to refresh the session. */
  'revoked',
  'expired',
  'blocked',
  'gone',
  /** The session is over, for an unknown reason. */
  'unknown',
  /** The user's change of password ended the session here too. */
  'password-changed',
  /** The user canceled at the provider. */
  'cancelled',
  /** The address is confirmed, or the new password set, but the page could not sign in. */
  'confirmed',
  'password-set',
] as const;

export type SignInNotice = (typeof NOTICES)[number];

const KEY = 'sign-in-notice';

// The reason for which the user is about to leave the storage, if another tab has announced it.
let announced: SignInNotice | null = null;

export interface StoredNotice {
  notice: SignInNotice;
  /** The path of this site to open after the next sign-in; null for the dashboard. */
  from: string | null;
}

/** Stores a notice for the next page that this tab loads. */
export function storeSignInNotice(storage: PossibleStorage, { notice, from }: StoredNotice): void {
  const stored = new URLSearchParams({ notice, ...(from !== null && { from }) });
  storeIfPossible(storage, KEY, stored.toString());
}

/** Whether a tab with this storage has stored a notice. */
export const hasStoredNotice = (storage: PossibleStorage): boolean =>
  typeof storage?.getItem(KEY) === 'string';

/** Reads and removes the tab's stored notice; null if there is none. */
export function takeStoredNotice(storage: PossibleStorage): StoredNotice | null {
  const stored = new URLSearchParams(storage?.getItem(KEY) ?? '');
  storage?.removeItem(KEY);
  const notice = noticeOf(stored.get('notice'));
  return notice && { notice, from: stored.get('from') };
}

/** Tells the other tabs why the session is about to leave `storage`. Leaves nothing behind. */
export function announceToOtherTabs(storage: PossibleStorage, notice: SignInNotice): void {
  storeIfPossible(storage, KEY, notice);
  storage?.removeItem(KEY);
}

/** Keeps the announcement, in a storage event of another tab, about the end of the session. */
export function keepAnnouncement({ key, newValue }: { key: string | null; newValue: string | null }): void {
  if (key === KEY) announced = noticeOf(newValue) ?? announced;
}

/** The reason for the session's end: `known`, or else another tab's announcement, which it forgets. */
export function noticeOfEnd(known: SignInNotice = 'unknown'): SignInNotice {
  const notice = known === 'unknown' ? (announced ?? known) : known;
  announced = null;
  return notice;
}

const noticeOf = (text: string | null): SignInNotice | null =>
  NOTICES.find((notice) => notice === text) ?? null;
