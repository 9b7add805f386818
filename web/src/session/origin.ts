import { useLocation } from 'react-router-dom';

/** State to hand on between the sign-in pages, so that the last of them still knows where somebody came from. */
export function useOrigin(): { from: unknown } {
  const { state } = useLocation() as { state: unknown };
  return { from: typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined };
}
