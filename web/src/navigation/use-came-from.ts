import { useLocation } from 'react-router-dom';

/** Router state that the sign-in pages pass on to each other: the page that the user came from. */
export function useCameFrom(): { from: unknown } {
  const { state } = useLocation() as { state: unknown };
  return { from: typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined };
}
