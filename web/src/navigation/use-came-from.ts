import { useLocation } from 'react-router-dom';

/** The page that a sign-in leads to: in a link's address, or in the router state that pages pass on. */
export function useCameFrom(): { from: unknown } {
  const { search, state } = useLocation() as { search: string; state: object | null };
  return {
    from: new URLSearchParams(search).get('to') ?? (state && 'from' in state ? state.from : undefined),
  };
}
