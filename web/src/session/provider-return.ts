import { HOME_OF_MEMBERS } from './from-path.ts';

/** Who else can say who somebody is, by their names at Cognito. */
export type Provider = 'Google' | 'GitHub';

/** Where a sign-in at a provider comes back to, as the user pool has it registered. */
export const RETURN_PATH = HOME_OF_MEMBERS;

/**
 * The key under which a tab keeps the sign-in it has sent away. In session storage, because that is the tab's own: another
 * tab that clears what it may clear doesn't end it, and a return in another tab finds nothing to go by.
 */
export const BEGUN = 'sign-in';

export interface ProviderReturn {
  /** The query somebody came back with: `code` or `error`, and the `state` we sent. */
  answer: URLSearchParams;
  /** What stood under `BEGUN`; empty where this tab has sent nobody away. */
  begun: URLSearchParams;
}

/** What an address says if it is one that a sign-in at a provider comes back to, else null. */
export function answerIn({ pathname, search }: { pathname: string; search: string }): URLSearchParams | null {
  const answer = new URLSearchParams(search);
  return pathname === RETURN_PATH && (answer.has('code') || answer.has('error')) ? answer : null;
}
