import { useCallback, useEffect, useRef } from 'react';

/**
 * Whether the component is still mounted. For answers that lead to another page: a user who has left
 * meanwhile stays where they are.
 */
export function useIsMounted(): () => boolean {
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return useCallback(() => mounted.current, []);
}
