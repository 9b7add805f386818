import { useEffect } from 'react';

/** Reloads whenever the user returns to the page. `reload` must stay the same between renders. */
export function useReloadWhenVisible(active: boolean, reload: () => void): void {
  useEffect(() => {
    if (!active) return undefined;
    const reloadIfVisible = () => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => document.removeEventListener('visibilitychange', reloadIfVisible);
  }, [active, reload]);
}
