import { useEffect, useEffectEvent } from 'react';

/** The state of a drawing as a pure function of time. */
export interface Script<State> {
  /** Length of a round in milliseconds. */
  readonly duration: number;
  /** The state at a time between 0 and `duration`, inclusive. */
  at(milliseconds: number): State;
}

// Milliseconds. The fastest change that a person follows is typing, a character per 50 ms.
const TICK = 50;

/** While `active`, calls back again and again with the milliseconds since the last call. */
export function useTicks(active: boolean, onTick: (passed: number) => void): void {
  const tick = useEffectEvent(onTick);
  useEffect(() => {
    if (!active) return undefined;
    let ticked = performance.now();
    const interval = setInterval(() => {
      const now = performance.now();
      tick(now - ticked);
      ticked = now;
    }, TICK);
    return () => clearInterval(interval);
  }, [active]);
}
