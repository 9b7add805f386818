import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether this browser has taken the page over. False on the server and in the first render here, which has to come to
 * the HTML the server wrote.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
