import { plainMessage } from '../oauth/cognito-message.ts';

/** `message` is Cognito's or our own, and is shown to the user. */
export type Refused = { kind: 'refused'; message: string };
export type Outcome = { kind: 'done' } | Refused;

/** The message where Cognito gives none. */
export const WENT_WRONG = 'Something went wrong. Please try again.';

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** `otherwise` is used where the error has no message. */
export function refusedBy(error: unknown, otherwise: string = WENT_WRONG): Refused {
  const message = error instanceof Error ? plainMessage(error.message) : '';
  return refused(message || otherwise);
}
