import { type AccountAction, authSentence } from './auth-sentence.ts';

/** `message` is for the user. `reason`: the faulty part, if the page shows it. */
export type Refused = { kind: 'refused'; message: string; reason?: 'link' | 'missing' };
export type Outcome = { kind: 'done' } | Refused;

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** The refusal of a form whose fields are empty. */
export const refusedAsMissing = (message: string): Refused => ({ ...refused(message), reason: 'missing' });

/** The refusal that an error of Cognito or Amplify stands for. */
export const refusedBy = (error: unknown, action: AccountAction): Refused =>
  refused(authSentence(error, action));
