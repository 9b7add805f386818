import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { type AccountAction, authSentence, isRefusedByTrigger } from './auth-sentence.ts';

/** `message` is for the user. `reason`: the refused part, if the page offers a next step. */
export type Refused = { kind: 'refused'; message: string; reason?: 'link' | 'password' };
export type Outcome = { kind: 'done' } | Refused;

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** The refusal that an error of Cognito or Amplify stands for. */
export const refusedBy = (error: unknown, action: AccountAction): Refused => ({
  ...refused(authSentence(error, action)),
  ...(isRefusedByTrigger(error, triggerRefusals.passwordDiscarded) && { reason: 'password' }),
});
