import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SignInNotice } from '../../../../../web/src/session/sign-in-notice.ts';
import {
  type RefreshResult,
  startTokenRefresh,
  type TokenRefresh,
} from '../../../../../web/src/session/token-refresh.ts';

const seconds = (count: number): number => count * 1000;

/** A session whose new token lives `life` milliseconds. `answers` are the results of refreshing. */
function session(life: number, answers: RefreshResult[] = []) {
  let expires: number | null = Date.now() + life;
  const refreshedAt: number[] = [];
  const start = Date.now();
  const ended: SignInNotice[] = [];
  const tokenRefresh = startTokenRefresh({
    remaining: async () => (expires === null ? null : expires - Date.now()),
    refresh: async () => {
      refreshedAt.push(Date.now() - start);
      const answer = answers.shift() ?? 'refreshed';
      if (answer === 'refreshed') expires = Date.now() + life;
      return answer;
    },
    onEnded: (why) => void ended.push(why),
  });
  running = tokenRefresh;
  return {
    tokenRefresh,
    refreshedAt,
    ended,
    signOutElsewhere: () => {
      expires = null;
    },
  };
}

let running: TokenRefresh | undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  running?.stop();
  vi.useRealTimers();
});

describe('the token refresh of a session', () => {
  test('refreshes at the first check after 90 s are left', async () => {
    const { refreshedAt } = session(seconds(15 * 60));
    await vi.advanceTimersByTimeAsync(seconds(15 * 60 - 91));
    expect(refreshedAt).toEqual([]);
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect(refreshedAt).toEqual([seconds(15 * 60 - 90)]);
  });

  test('checks at once when it starts, retries after 200 ms with doubling pauses, and gives up before the next check', async () => {
    const { refreshedAt } = session(
      seconds(89),
      Array.from({ length: 20 }, () => 'failed' as const),
    );
    await vi.advanceTimersByTimeAsync(seconds(29));
    expect(refreshedAt).toEqual([0, 200, 600, 1400, 3000, 6200, 12600, 25400]);
  });

  test('stops retrying once a refresh works', async () => {
    const { refreshedAt, ended } = session(seconds(100), ['failed', 'failed', 'refreshed']);
    await vi.advanceTimersByTimeAsync(seconds(30) + 600);
    await vi.advanceTimersByTimeAsync(seconds(5));
    expect(refreshedAt).toEqual([seconds(30), seconds(30) + 200, seconds(30) + 600]);
    expect(ended).toEqual([]);
  });

  test('reports once that the session has ended when Cognito refuses, with its reason, and stops checking', async () => {
    const { refreshedAt, ended } = session(seconds(60), [{ ended: 'revoked' }]);
    await vi.advanceTimersByTimeAsync(seconds(120));
    expect(refreshedAt).toHaveLength(1);
    expect(ended).toEqual(['revoked']);
  });

  test('reports that the session has ended when its tokens are gone', async () => {
    const { signOutElsewhere, ended } = session(seconds(900));
    await vi.advanceTimersByTimeAsync(0);
    signOutElsewhere();
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect(ended).toEqual(['unknown']);
  });

  test('does nothing after it was stopped, not even a pending retry', async () => {
    const { tokenRefresh, refreshedAt, ended } = session(seconds(60), ['failed', { ended: 'revoked' }]);
    await vi.advanceTimersByTimeAsync(100);
    tokenRefresh.stop();
    tokenRefresh.check();
    await vi.advanceTimersByTimeAsync(seconds(120));
    expect(refreshedAt).toEqual([0]);
    expect(ended).toEqual([]);
  });
});
