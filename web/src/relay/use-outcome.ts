import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Outcome } from './outcome.ts';

export type RelayState = { kind: 'processing' } | Outcome;

/** Runs a relay page's work once as the page opens. */
export function useOutcome(work: () => Promise<Outcome>): RelayState {
  const [state, setState] = useState<RelayState>({ kind: 'processing' });
  const started = useRef<Promise<Outcome>>(undefined);
  const start = useEffectEvent(work);
  // The effect runs before the first paint, so that the code has left the address bar by then.
  useLayoutEffect(() => {
    let mounted = true;
    // Strict mode runs effects twice, but a flow can be taken only once.
    started.current ??= start();
    void started.current.then((outcome) => {
      if (mounted) setState(outcome);
    });
    return () => {
      mounted = false;
    };
  }, []);
  return state;
}
