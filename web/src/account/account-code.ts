import { useEffect } from 'react';

// Code that public pages load on demand.
export const signInCode = () => import('./sign-in.ts');
export const signUpCode = () => import('./sign-up.ts');
export const providerCode = () => import('./provider-sign-in.ts');

/** Loads the page's code when the browser is idle, or when the user touches the page. */
export function useCodeSoon(load: () => Promise<unknown>): void {
  useEffect(() => {
    const inputs = ['pointerdown', 'focusin', 'keydown'];
    // A failure is reported when the form is sent, which tries again.
    const start = () => {
      stop();
      load().catch(() => {});
    };
    // Safari has no idle callback.
    const idle = 'requestIdleCallback' in window ? requestIdleCallback(start) : undefined;
    const timer = idle === undefined ? setTimeout(start, 200) : undefined;
    const stop = () => {
      for (const type of inputs) removeEventListener(type, start);
      if (idle !== undefined) cancelIdleCallback(idle);
      clearTimeout(timer);
    };
    for (const type of inputs) addEventListener(type, start, { passive: true });
    return stop;
  }, [load]);
}
