import { useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { PasswordField } from '../../components/account/password-field.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { type PlanState, standingOf } from '../../plan/standing.ts';
import { confirmPassword } from '../../session/password.ts';
import type { User } from '../../session/session.ts';
import { forgetDeletedAccount } from '../../session/sign-out.ts';
import { Consequences } from './consequences.tsx';
import { Setting } from './setting.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import type { Farewell } from './account-deleted.tsx';
import { callAgain } from './call-again.ts';
import { UserNameField } from './user-name-field.tsx';
import styles from './dashboard.module.css';

type State =
  | { kind: 'editing' }
  | { kind: 'sending' }
  /** `again`: whether a fresh sign-in is what it takes. */
  | { kind: 'refused'; message: string; again: boolean };

// What the server does can stop half-way, and takes up where it stopped.
const PRESS_AGAIN = 'Nothing is lost: press the button again to finish.';

interface DeleteAccountProps {
  user: User;
  plan: PlanState;
  onDeleted: (farewell: Farewell) => void;
}

export function DeleteAccount({ user, plan, onDeleted }: DeleteAccountProps) {
  const title = useId();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [state, setState] = useState<State>({ kind: 'editing' });
  // Asking for it twice would fail where only the answer to the first try got lost: then nobody has this password any more.
  const [proven, setProven] = useState(!user.hasPassword);

  // Whether an earlier try went out whose end nobody has told us.
  const [unheard, setUnheard] = useState(false);

  const submit = async () => {
    setState({ kind: 'sending' });
    if (!proven) {
      const outcome = await confirmPassword(password);
      if (outcome.kind === 'refused') return refuse(outcome.message);
      setProven(true);
    }
    const answer = await (unheard ? callAgain : call)('delete-account', { body: {} });
    const gone = answer.ok || (unheard && answer.code === 'not-signed-in');
    if (gone) {
      const leaveTo = await forgetDeletedAccount();
      return onDeleted({
        leaveTo,
        email: user.email,
        // A try before this one may be the one that has ended it.
        hadPlus: (answer.ok && answer.value.subscriptionEnded) || isPlus(plan),
        mailSent: answer.ok ? answer.value.mailSent : null,
      });
    }
    if (answer.code === 'sign-in-again') {
      setProven(!user.hasPassword);
      return refuse(answer.sentence, !user.hasPassword);
    }
    setUnheard(true);
    refuse(`${answer.sentence} ${PRESS_AGAIN}`);
  };

  const refuse = (message: string, again = false) => {
    setState({ kind: 'refused', message, again });
    // Whoever has closed the dialog meanwhile believes the account to be gone.
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
      <Dialog open={open} onClose={close} labelledBy={title} className={styles.Dialog}>
        <div className={styles.Asked} data-grave>
          <h2 id={title}>Delete your account?</h2>
          <Consequences email={user.email} state={plan} />
          <AccountForm
            state={state}
            onSubmit={submit}
            submit="Delete My Account"
            sending="Deleting..."
            remedy={state.kind === 'refused' && state.again && <SignInAgain user={user} />}
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
