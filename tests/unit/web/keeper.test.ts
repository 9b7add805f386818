import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Keeper, type Refreshed, startKeeper } from '../../../web/src/session/keeper.ts';

const seconds = (count: number): number => count * 1000;

/** A session whose token was issued just now and is good for `life` milliseconds; `answers` are what refreshing comes to. */
function session(life: number, answers: Refreshed[] = []) {
  let expires: number | null = Date.now() + life;
  const refreshedAt: number[] = [];
  const start = Date.now();
  let ended = 0;
  const keeper = startKeeper({
    remaining: async () => (expires === null ? null : expires - Date.now()),
    refresh: async () => {
      refreshedAt.push(Date.now() - start);
      const answer = answers.shift() ?? 'refreshed';
      if (answer === 'refreshed') expires = Date.now() + life;
      return answer;
    },
    onEnded: () => {
      ended += 1;
    },
  });
  running = keeper;
  return {
    keeper,
    refreshedAt,
    ended: () => ended,
    signOutElsewhere: () => {
      expires = null;
    },
  };
}

let running: Keeper | undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  running?.stop();
  vi.useRealTimers();
});

describe('the keeper of a session', () => {
  test('leaves a token alone until 90 s are left, and refreshes at the next tick', async () => {
    const { refreshedAt } = session(seconds(15 * 60));
    await vi.advanceTimersByTimeAsync(seconds(15 * 60 - 91));
    expect(refreshedAt).toEqual([]);
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect(refreshedAt).toEqual([seconds(15 * 60 - 90)]);
  });

  test('looks at once when it starts', async () => {
    const { refreshedAt } = session(seconds(60));
    await vi.advanceTimersByTimeAsync(0);
    expect(refreshedAt).toEqual([0]);
  });

  test('tries again after 200 ms, doubling, and gives up before the next tick', async () => {
    const { refreshedAt } = session(
      seconds(89),
      Array.from({ length: 20 }, () => 'failed' as const),
    );
    await vi.advanceTimersByTimeAsync(seconds(29));
    expect(refreshedAt).toEqual([0, 200, 600, 1400, 3000, 6200, 12600, 25400]);
  });

  test('stops trying once a refresh works', async () => {
    const { refreshedAt, ended } = session(seconds(100), ['failed', 'failed', 'refreshed']);
    await vi.advanceTimersByTimeAsync(seconds(30) + 600);
    await vi.advanceTimersByTimeAsync(seconds(5));
    expect(refreshedAt).toEqual([seconds(30), seconds(30) + 200, seconds(30) + 600]);
    expect(ended()).toBe(0);
  });

  test('says once that the session is over when the provider says no, and looks no more', async () => {
    const { refreshedAt, ended } = session(seconds(60), ['ended']);
    await vi.advanceTimersByTimeAsync(seconds(120));
    expect(refreshedAt).toHaveLength(1);
    expect(ended()).toBe(1);
  });

  test('says that the session is over when its tokens are gone', async () => {
    const { signOutElsewhere, ended } = session(seconds(900));
    await vi.advanceTimersByTimeAsync(0);
    signOutElsewhere();
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect(ended()).toBe(1);
  });

  test('does nothing after it was stopped, not even the retry it was waiting for', async () => {
    const { keeper, refreshedAt, ended } = session(seconds(60), ['failed', 'ended']);
    await vi.advanceTimersByTimeAsync(100);
    keeper.stop();
    keeper.check();
    await vi.advanceTimersByTimeAsync(seconds(120));
    expect(refreshedAt).toEqual([0]);
    expect(ended()).toBe(0);
  });
});
