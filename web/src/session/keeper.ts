// Specification, section 9.
const TICK = 30_000;
/** Milliseconds of life at which a token counts as due. */
export const MARGIN = 90_000;
const FIRST_RETRY = 200;

/** What came of a refresh: new tokens, no session any more, or nobody to ask just now. */
export type Refreshed = 'refreshed' | 'ended' | 'failed';

interface Keeping {
  /** Milliseconds the access token is good for, by the clock of whoever issued it; null without a session. */
  remaining: () => Promise<number | null>;
  refresh: () => Promise<Refreshed>;
  /** Called once, when there is no session to keep any more. */
  onEnded: () => void;
}

export interface Keeper {
  /** Looks now instead of at the next tick. */
  check: () => void;
  stop: () => void;
}

/**
 * Keeps a session alive: every 30 s it looks how long the token is still good, and refreshes when 90 s are
 * left. A refresh that fails is tried again after 200 ms, doubling, until the next tick would come anyway.
 */
export function startKeeper({ remaining, refresh, onEnded }: Keeping): Keeper {
  let stopped = false;
  let looking = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    stopped = true;
    clearInterval(ticking);
    clearTimeout(retry);
  };
  const end = () => {
    if (stopped) return;
    stop();
    onEnded();
  };

  const look = async (): Promise<void> => {
    const left = await remaining();
    if (left === null) end();
    else if (left <= MARGIN) await refreshSoon(FIRST_RETRY, 0);
  };
  const refreshSoon = async (pause: number, waited: number): Promise<void> => {
    if (stopped) return;
    const refreshed = await refresh();
    if (refreshed === 'ended') end();
    if (refreshed !== 'failed' || waited + pause >= TICK) return;
    await new Promise<void>((resolve) => {
      retry = setTimeout(resolve, pause);
    });
    await refreshSoon(pause * 2, waited + pause);
  };

  const check = () => {
    if (stopped || looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  };

  const ticking = setInterval(check, TICK);
  check();
  return { check, stop };
}
