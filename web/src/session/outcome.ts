import { type AccountAction, authSentence, isCodeRefused } from './auth-sentence.ts';

/** `message` is for the user. `reason`: what was refused, where the page offers a way on. */
export type Refused = { kind: 'refused'; message: string; reason?: 'code' };
export type Outcome = { kind: 'done' } | Refused;

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** For an error of Cognito or Amplify. */
export const refusedBy = (error: unknown, action: AccountAction): Refused => ({
  ...refused(authSentence(error, action)),
  ...(isCodeRefused(error) && { reason: 'code' }),
});
