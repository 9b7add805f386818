import { currentSession } from '../../session/session.ts';
import { EDITING, type FormState } from './use-account-form.ts';

/** Shows why a provider sign-in, which left the page, failed. */
export function refusedElsewhere(): FormState {
  const session = currentSession();
  return session.kind === 'signed-out' && session.refusal !== undefined
    ? { kind: 'refused', message: session.refusal }
    : EDITING;
}
