import { useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { type PlanState, standingOf } from '../../plan/standing.ts';
import { confirmPassword, forgetDeletedAccount } from '../../session/own-account.ts';
import type { User } from '../../session/session.ts';
import { Consequences } from './consequences.tsx';
import { Setting } from './setting.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import type { DeletedAccount } from './account-deleted.tsx';
import { callWithoutSignOut } from './call-without-sign-out.ts';
import { UserNameField } from './user-name-field.tsx';
import styles from './dashboard.module.css';

type State =
  | { kind: 'editing' }
  | { kind: 'sending' }
  /** `needsSignIn`: whether the user has to sign in again first. */
  | { kind: 'refused'; message: string; needsSignIn: boolean };

// The server resumes a deletion that stopped half-way.
const PRESS_AGAIN = 'Nothing is lost: press the button again to finish.';

interface DeleteAccountProps {
  user: User;
  plan: PlanState;
  onDeleted: (account: DeletedAccount) => void;
}

export function DeleteAccount({ user, plan, onDeleted }: DeleteAccountProps) {
  const title = useId();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [state, setState] = useState<State>({ kind: 'editing' });
  // After a try whose answer got lost the account may be gone, and checking the password again would fail.
  const [proven, setProven] = useState(!user.hasPassword);

  // Whether an earlier try was sent and its result is unknown.
  const [unanswered, setUnanswered] = useState(false);

  const submit = async () => {
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
        hadPlus: (answer.ok && answer.value.subscriptionEnded) || isPlus(plan),
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
    // A user who has closed the dialog meanwhile believes that the account is deleted.
    setOpen(true);
  };

  const close = () => {
    setOpen(false);
    if (state.kind === 'sending') return;
    setPassword('');
    setState({ kind: 'editing' });
  };

  return (
    <Setting
      title="Delete your account"
      about="Ends your plan and removes your account for good. You see first what goes and what stays."
      anchor="delete-account"
    >
      <Button tone="secondary" aria-busy={state.kind === 'sending'} onClick={() => setOpen(true)}>
        Delete My Account...
      </Button>
      <Dialog open={open} onClose={close} labelledBy={title}>
        <div className={styles.Asked} data-irreversible>
          <h2 id={title}>Delete your account?</h2>
          <Consequences email={user.email} state={plan} />
          <AccountForm
            state={state}
            onSubmit={submit}
            submit="Delete My Account"
            sending="Deleting..."
            remedy={state.kind === 'refused' && state.needsSignIn && <SignInAgain user={user} />}
          >
            {user.hasPassword && (
              <>
                <UserNameField email={user.email} />
                <PasswordField
                  label="Password"
                  name="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={(value) => {
                    setPassword(value);
                    setState({ kind: 'editing' });
                  }}
                />
              </>
            )}
          </AccountForm>
          <Button wide tone="secondary" disabled={state.kind === 'sending'} onClick={close}>
            Keep My Account
          </Button>
        </div>
      </Dialog>
    </Setting>
  );
}

function isPlus(plan: PlanState): boolean {
  const { kind } = standingOf(plan);
  return kind === 'plus' || kind === 'ending';
}
