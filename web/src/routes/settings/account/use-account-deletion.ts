import { useState } from 'react';
import { isPaid, mainOffer, plans } from '../../../../../schemas/product/offers.ts';
import { type Refused, refused, refusedCall } from '../../../account/outcome.ts';
import { call } from '../../../api/call.ts';
import type { PlanState } from '../../../plan/plan-status.ts';
import { confirmPassword } from '../../../account/password.ts';
import type { User } from '../../../session/session.ts';
import { forgetDeletedAccount } from '../../../session/sign-out.ts';
import type { DeletedAccount } from './account-deleted.tsx';
import { callWithoutSignOut } from '../call-without-sign-out.ts';

// The server resumes a deletion that stopped halfway.
const PRESS_AGAIN = 'Press the button again to finish.';

export function useAccountDeletion(user: User, plan: PlanState) {
  // After a try whose answer was lost, the account may be gone, and checking the password again would fail.
  const [proven, setProven] = useState(!user.hasPassword);
  // Whether an earlier try was sent whose result is unknown.
  const [unanswered, setUnanswered] = useState(false);

  return async (password: string): Promise<({ kind: 'deleted' } & DeletedAccount) | Refused> => {
    if (!proven) {
      const outcome = await confirmPassword(password);
      if (outcome.kind === 'refused') return outcome;
      setProven(true);
    }
    const answer = await (unanswered ? callWithoutSignOut : call)('delete-account', { body: {} });
    if (answer.ok || (unanswered && answer.code === 'not-signed-in')) {
      return {
        kind: 'deleted',
        leaveTo: await forgetDeletedAccount(),
        email: user.email,
        // An earlier try may have ended the subscription.
        endedPlan: paidPlanIn(plan) ?? (answer.ok && answer.value.subscriptionEnded ? mainOffer.name : null),
        mailSent: answer.ok ? answer.value.mailSent : null,
      };
    }
    if (answer.code === 'sign-in-again') {
      setProven(!user.hasPassword);
      return user.hasPassword ? refused(answer.sentence) : refusedCall(answer);
    }
    setUnanswered(true);
    return refused(`${answer.sentence} ${PRESS_AGAIN}`);
  };
}

const paidPlanIn = (state: PlanState): string | null =>
  state.kind === 'known' && isPaid(state.value.plan) ? plans[state.value.plan].name : null;
