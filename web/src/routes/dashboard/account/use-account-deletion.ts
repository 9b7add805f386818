import { useState } from 'react';
import { isPaid, mainOffer, plans } from '../../../../../schemas/product/offers.ts';
import { call } from '../../../api/call.ts';
import type { PlanState } from '../../../plan/plan-status.ts';
import { confirmPassword } from '../../../account/password.ts';
import type { User } from '../../../session/session.ts';
import { forgetDeletedAccount } from '../../../session/sign-out.ts';
import type { DeletedAccount } from './account-deleted.tsx';
import { callWithoutSignOut } from '../call-without-sign-out.ts';

type State =
  | { kind: 'editing' }
  | { kind: 'sending' }
  /** `needsSignIn`: whether the user has to sign in again first. */
  | { kind: 'refused'; message: string; needsSignIn: boolean };

// The server resumes a deletion that stopped halfway.
const PRESS_AGAIN = 'Press the button again to finish.';

interface DeletionOptions {
  user: User;
  plan: PlanState;
  onDeleted: (account: DeletedAccount) => void;
  onRefused: () => void;
}

/** Confirms the password and deletes the account. `clearRefusal` hides the message. */
export function useAccountDeletion({ user, plan, onDeleted, onRefused }: DeletionOptions) {
  const [state, setState] = useState<State>({ kind: 'editing' });
  // After a try whose answer was lost, the account may be gone, and checking the password again would fail.
  const [proven, setProven] = useState(!user.hasPassword);
  // Whether an earlier try was sent whose result is unknown.
  const [unanswered, setUnanswered] = useState(false);

  const submit = async (password: string): Promise<void> => {
    setState({ kind: 'sending' });
    if (!proven) {
      const outcome = await confirmPassword(password);
      if (outcome.kind === 'refused') return refuse(outcome.message);
      setProven(true);
    }
    const answer = await (unanswered ? callWithoutSignOut : call)('delete-account', { body: {} });
    const gone = answer.ok || (unanswered && answer.code === 'not-signed-in');
    if (gone) {
      const leaveTo = await forgetDeletedAccount();
      return onDeleted({
        leaveTo,
        email: user.email,
        // An earlier try may have ended the subscription.
        endedPlan: paidPlanIn(plan) ?? (answer.ok && answer.value.subscriptionEnded ? mainOffer.name : null),
        mailSent: answer.ok ? answer.value.mailSent : null,
      });
    }
    if (answer.code === 'sign-in-again') {
      setProven(!user.hasPassword);
      return refuse(answer.sentence, !user.hasPassword);
    }
    setUnanswered(true);
    refuse(`${answer.sentence} ${PRESS_AGAIN}`);
  };

  const refuse = (message: string, needsSignIn = false) => {
    setState({ kind: 'refused', message, needsSignIn });
    onRefused();
  };

  return { state, submit, clearRefusal: () => setState({ kind: 'editing' }) };
}

const paidPlanIn = (state: PlanState): string | null =>
  state.kind === 'known' && isPaid(state.value.plan) ? plans[state.value.plan].name : null;
