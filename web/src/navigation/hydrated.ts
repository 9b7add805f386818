import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page is hydrated. False in the first render, which must match the built HTML. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
