import { useCallback, useEffect, useRef } from 'react';

/** Whether the component is still mounted. A user who has left isn't taken to another page. */
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
