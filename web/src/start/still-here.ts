import { useCallback, useEffect, useRef } from 'react';

/**
 * Whether a component still stands on its page. For answers that lead on to another page: whoever has gone elsewhere
 * meanwhile is not taken away from there.
 */
export function useStillHere(): () => boolean {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return useCallback(() => here.current, []);
}
