import { describe, expect, test } from 'vitest';
import { storePendingSignIn, takePendingSignIn } from '../../../../../web/src/session/pending-sign-in.ts';
import { sessionEndOf } from '../../../../../web/src/session/session-end.ts';
import {
  announceToOtherTabs,
  hasStoredNotice,
  keepAnnouncement,
  noticeOfEnd,
  storeSignInNotice,
  takeStoredNotice,
} from '../../../../../web/src/session/sign-in-notice.ts';

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

describe('why Cognito refused to refresh a session', () => {
  test.each([
    ['NotAuthorizedException', 'Refresh Token has been revoked', 'revoked'],
    ['NotAuthorizedException', 'Refresh Token has expired', 'expired'],
    ['NotAuthorizedException', 'User is disabled.', 'blocked'],
    ['UserNotFoundException', 'User does not exist.', 'gone'],
    ['NotAuthorizedException', 'Invalid Refresh Token.', 'unknown'],
    ['RefreshTokenReuseException', 'Refresh token has been invalidated by rotation.', 'unknown'],
    ['TooManyRequestsException', 'Too many requests', null],
    ['NewException', 'The session was revoked by something new.', null],
    ['UnreadableAnswer', 'A proxy has revoked this.', null],
  ])('%s: %s → %s', (name, message, reason) => {
    expect(sessionEndOf(named(name, message))).toBe(reason);
  });
});

/** A browser's storage that records what other tabs are told. */
function fakeStorage() {
  const items = new Map<string, string>();
  const events: { key: string; newValue: string | null }[] = [];
  return {
    events,
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, newValue: string) => {
      items.set(key, newValue);
      events.push({ key, newValue });
    },
    removeItem: (key: string) => {
      if (items.delete(key)) events.push({ key, newValue: null });
    },
  };
}

describe('the notice of the sign-in page', () => {
  test.each([null, '/checkout?plan=plus#card'])(
    'is stored for the next page of the tab, once, with %j',
    (from) => {
      const tab = fakeStorage();
      expect(hasStoredNotice(tab)).toBe(false);
      storeSignInNotice(tab, { notice: 'signed-out', from });
      expect(hasStoredNotice(tab)).toBe(true);
      expect(takeStoredNotice(tab)).toEqual({ notice: 'signed-out', from });
      expect(takeStoredNotice(tab)).toBeNull();
      expect(tab.items.size).toBe(0);
    },
  );

  test('that this site did not store is not said', () => {
    const tab = fakeStorage();
    tab.setItem('sign-in-notice', new URLSearchParams({ notice: 'Call 555-0100', from: '/' }).toString());
    expect(takeStoredNotice(tab)).toBeNull();
  });

  test('reaches the other tabs before the storage is cleared, and stays nowhere', () => {
    const shared = fakeStorage();
    announceToOtherTabs(shared, 'deleted');
    for (const event of shared.events) keepAnnouncement(event);
    expect(shared.items.size).toBe(0);
    expect(noticeOfEnd()).toBe('deleted');
  });

  test('is that of the other tab if this one knows none, and of no later session', () => {
    keepAnnouncement({ key: 'sign-in-notice', newValue: 'other-tab' });
    keepAnnouncement({ key: 'another', newValue: 'deleted' });
    keepAnnouncement({ key: null, newValue: null });
    expect([noticeOfEnd('unknown'), noticeOfEnd('unknown')]).toEqual(['other-tab', 'unknown']);
    keepAnnouncement({ key: 'sign-in-notice', newValue: 'other-tab' });
    expect([noticeOfEnd('expired'), noticeOfEnd()]).toEqual(['expired', 'unknown']);
  });

  test('is left out where the storage is full, and holds up nothing', () => {
    const full = {
      ...fakeStorage(),
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    storeSignInNotice(full, { notice: 'signed-out', from: null });
    announceToOtherTabs(full, 'signed-out');
    expect(takeStoredNotice(full)).toBeNull();
    storePendingSignIn(full, { provider: 'google', path: '/dashboard' });
    expect(takePendingSignIn(full)).toBeNull();
  });

  test('is left out where the browser forbids storage', () => {
    storeSignInNotice(null, { notice: 'signed-out', from: null });
    announceToOtherTabs(null, 'signed-out');
    expect([hasStoredNotice(null), takeStoredNotice(null)]).toEqual([false, null]);
  });
});
