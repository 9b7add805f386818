import { useSyncExternalStore } from 'react';
import type { ProviderKey } from '../../../schemas/product/providers.ts';
import { storeOf } from './store.ts';

/*
 * The session in layers, those above `sign-out` in `account`. A module imports only from the layers below it,
 * lazy imports included.
 *
 *   watch-session       runs at start, and loads account code if there is a session or a provider's answer
 *   sign-out-here       tells our API that this browser signs out
 *   fresh-sign-in       sign-out at the provider, then a new provider sign-in
 *   provider-sign-in    sign-in with an identity provider
 *   sign-in, password, email-address, name, end-all-sessions
 *   sign-in-after       a call that ends every session, and the sign-in after it
 *   sign-out            revokes the tokens and clears the storage
 *   session-lifecycle   begins, refreshes and ends the session
 *   note-session        tells our API that this browser is in use
 *   renew-tokens, revoke-tokens
 *   session-end         the reason for which Cognito refused to refresh the session
 *   isolated-amplify    the sign-in with a password
 *   call-cognito        Cognito's other operations
 *   tokens              Amplify's configuration and the stored tokens
 *   token-lock          one tab at a time
 *   session             this state, which the pages subscribe to
 *   sign-in-notice      the notice that the sign-in page shows once
 *   clear-session       also clears the cookies that scripts see
 *   clear-storage, browser-storage   also loaded by public pages, like the two above and `watch-session`
 *
 * Pages for visitors import `sign-in` and `provider-sign-in` lazily; `account-code` does that for forms.
 */

export interface User {
  /** The Cognito `sub`. */
  id: string;
  email: string;
  /** Null if the account has none. */
  name: string | null;
  /** Whether the account has its own password. */
  hasPassword: boolean;
  /** The provider of an account without a password. */
  provider: ProviderKey | null;
  /** Time when the user last proved their identity. Refreshing tokens doesn't change this time. */
  signedInAt: Date;
}

/**
 * The state of the session. `unreachable`: this browser has a session, but the code or data to check the
 * session can't be loaded. `refusal`: a message for the sign-in page about a failed provider sign-in.
 * `linked`: the provider to which the page is about to send the user again, because the first sign-in was
 * used up by linking the accounts.
 */
export type Session =
  | { kind: 'loading'; linked?: ProviderKey }
  | { kind: 'signed-out'; refusal?: string }
  | { kind: 'signed-in'; user: User }
  | { kind: 'unreachable' };

const SIGNED_OUT: Session = { kind: 'signed-out' };

export const {
  get: currentSession,
  set: setSession,
  subscribe: subscribeToSession,
} = storeOf<Session>(SIGNED_OUT);

export const useSession = (): Session =>
  useSyncExternalStore(subscribeToSession, currentSession, () => SIGNED_OUT);
