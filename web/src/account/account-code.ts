import { useEffect } from 'react';
import type { Refused } from './outcome.ts';
import type * as Provider from './provider-sign-in.ts';
import type * as Account from './sign-in.ts';
import type * as SignUp from './sign-up.ts';
import { withCode } from './with-code.ts';

type AccountCode = typeof Account;
type ProviderCode = typeof Provider;
type SignUpCode = typeof SignUp;

const loadAccountCode = (): Promise<AccountCode> => import('./sign-in.ts');
const loadSignUpCode = (): Promise<SignUpCode> => import('./sign-up.ts');
const loadProviderCode = (): Promise<ProviderCode> => import('./provider-sign-in.ts');

/** Does `work` with the code that talks to Cognito, once it is loaded. Refuses if it can't be loaded. */
export const withAccountCode = <T>(work: (account: AccountCode) => Promise<T>): Promise<T | Refused> =>
  withCode(loadAccountCode, work);

/** The same as `withAccountCode`, for signing in with a provider. */
export const withProviderCode = <T>(work: (provider: ProviderCode) => Promise<T>): Promise<T | Refused> =>
  withCode(loadProviderCode, work);

/** The same as `withAccountCode`, for signing up and confirming. */
export const withSignUpCode = <T>(work: (signUp: SignUpCode) => Promise<T>): Promise<T | Refused> =>
  withCode(loadSignUpCode, work);

/** Loads the page's code when the browser is idle, or when the user touches the page. */
export function useAccountCodeSoon(page: 'sign-in' | 'sign-up' = 'sign-in'): void {
  useEffect(() => {
    const load = page === 'sign-up' ? loadSignUpCode : loadAccountCode;
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
  }, [page]);
}
