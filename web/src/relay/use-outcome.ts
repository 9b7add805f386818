import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Outcome } from './way-out.ts';

export type RelayState = { kind: 'processing' } | Outcome;

/** Does a relay page's work as it opens, and gives what has come of it so far. */
export function useOutcome(work: () => Promise<Outcome>): RelayState {
  const [state, setState] = useState<RelayState>({ kind: 'processing' });
  const begun = useRef<Promise<Outcome>>(undefined);
  const begin = useEffectEvent(work);
  // Before the first paint, so that a code is out of the address bar by then.
  useLayoutEffect(() => {
    let current = true;
    // Once, however often React runs the effect: a flow can't be taken twice.
    begun.current ??= begin();
    void begun.current.then((outcome) => {
      if (current) setState(outcome);
    });
    return () => {
      current = false;
    };
  }, []);
  return state;
}
