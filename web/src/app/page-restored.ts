import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `onRestored` when the browser restores the page from its back-forward cache. The page then has the
 * state in which the user left, for example for Stripe or a sign-in provider.
 */
export function usePageRestored(onRestored: () => void): void {
  const restored = useEffectEvent(onRestored);
  useEffect(() => {
    const check = ({ persisted }: PageTransitionEvent) => {
      if (persisted) restored();
    };
    addEventListener('pageshow', check);
    return () => removeEventListener('pageshow', check);
  }, []);
}
