import type { SignInNotice } from './sign-in-notice.ts';

// Milliseconds between two checks.
const CHECK_INTERVAL = 30_000;
/** Milliseconds of remaining life at which a token is refreshed. */
export const REFRESH_MARGIN = 90_000;
const FIRST_RETRY = 200;

/** `ended`: the session is over, with the reason. `failed`: Cognito couldn't be reached. */
export type RefreshResult = 'refreshed' | 'failed' | { ended: SignInNotice };

interface Dependencies {
  /** Milliseconds until the access token expires, by the issuer's clock; null without a session. */
  remaining: () => Promise<number | null>;
  refresh: () => Promise<RefreshResult>;
  /** Called once, when the session has ended. */
  onEnded: (why: SignInNotice) => void;
}

export interface TokenRefresh {
  /** Checks now instead of after the interval. */
  check: () => void;
  stop: () => void;
}

/**
 * Checks the remaining life of the access token every 30 s, and refreshes the token when 90 s are left. A
 * failed refresh is retried after 200 ms, with doubling pauses, until the next check is due.
 */
export function startTokenRefresh({ remaining, refresh, onEnded }: Dependencies): TokenRefresh {
  let stopped = false;
  let checking = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    stopped = true;
    clearInterval(interval);
    clearTimeout(retry);
  };
  const end = (why: SignInNotice) => {
    if (stopped) return;
    stop();
    onEnded(why);
  };

  const refreshIfDue = async (): Promise<void> => {
    const left = await remaining();
    if (left === null) end('unknown');
    else if (left <= REFRESH_MARGIN) await refreshWithRetries(FIRST_RETRY, 0);
  };
  const refreshWithRetries = async (pause: number, waited: number): Promise<void> => {
    if (stopped) return;
    const result = await refresh();
    if (typeof result === 'object') end(result.ended);
    if (result !== 'failed' || waited + pause >= CHECK_INTERVAL) return;
    await new Promise<void>((resolve) => {
      retry = setTimeout(resolve, pause);
    });
    await refreshWithRetries(pause * 2, waited + pause);
  };

  const check = () => {
    if (stopped || checking) return;
    checking = true;
    // Another tab may keep the tokens locked. The next check tries again.
    void refreshIfDue()
      .catch(() => {})
      .finally(() => {
        checking = false;
      });
  };

  const interval = setInterval(check, CHECK_INTERVAL);
  check();
  return { check, stop };
}
