/** `message` is for the user. `reason`: the faulty part, or the remedy, if the page shows it. */
export type Refused = {
  kind: 'refused';
  message: string;
  reason?: 'link' | 'missing' | 'sign-in' | 'name' | 'email';
};
export type Outcome = { kind: 'done' } | Refused;

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** The refusal of a form whose fields are empty. */
export const refusedAsMissing = (message: string): Refused => ({ ...refused(message), reason: 'missing' });

/** The refusal of a call. `sign-in`: the user has to sign in again first. */
export const refusedCall = ({ code, sentence }: { code: string; sentence: string }): Refused =>
  code === 'sign-in-again' ? { ...refused(sentence), reason: 'sign-in' } : refused(sentence);
