import { useId, useState } from 'react';
import { nameOf } from '../../../../../schemas/product/known-plan.ts';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { useAccountForm } from '../../../components/account/use-account-form.ts';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { Button } from '../../../components/button.tsx';
import { Day } from '../../../components/day.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import type { ShownStanding } from '../../../plan/shown-standing.ts';
import type { PlanState } from '../../../plan/plan-status.ts';
import type { User } from '../../../session/session.ts';
import { Consequences } from './consequences.tsx';
import { Setting } from '../setting.tsx';
import { SignInAgain } from '../ways-in/sign-in-again.tsx';
import type { DeletedAccount } from './account-deleted.tsx';
import { useAccountDeletion } from './use-account-deletion.ts';
import { UserNameField } from '../../../components/account/user-name-field.tsx';
import styles from '../settings.module.css';

interface DeleteAccountProps {
  user: User;
  plan: PlanState;
  standing: ShownStanding;
  onDeleted: (account: DeletedAccount) => void;
}

export function DeleteAccount({ user, plan, standing, onDeleted }: DeleteAccountProps) {
  const title = useId();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const form = useAccountForm();
  const isSending = form.state.kind === 'sending';
  const deleteAccount = useAccountDeletion(user, plan);

  const submit = async () => {
    const outcome = await form.send(deleteAccount(password));
    if (outcome.kind === 'deleted') onDeleted(outcome);
    // A user who has closed the dialog meanwhile believes that the account is deleted.
    else setOpen(true);
  };
  const close = () => {
    setOpen(false);
    if (isSending) return;
    setPassword('');
    form.edit();
  };

  return (
    <Setting
      title="Delete your account"
      about="Ends your plan and removes your account for good. First, you'll see what is deleted and what we have to keep."
      anchor="delete-account"
      action={
        <Button tone="secondary" aria-busy={isSending} onClick={() => setOpen(true)}>
          Delete My Account...
        </Button>
      }
    >
      <Dialog open={open} onClose={close} labelledBy={title}>
        <div className={styles.Asked} data-stack="4" data-irreversible>
          <h2 id={title}>Delete your account?</h2>
          <Consequences email={user.email} state={plan} />
          {(standing.kind === 'renews' || standing.kind === 'paused') && standing.on !== null && (
            <p>
              Or <PageLink to="/cancel">cancel {nameOf(standing)}</PageLink>, keep it until{' '}
              <Day moment={standing.on} />, and delete your account then.
            </p>
          )}
          <AccountForm
            form={form}
            onSubmit={submit}
            submit="Delete My Account"
            sending="Deleting..."
            remedy={<SignInAgain form={form} user={user} path="/settings#delete-account" />}
          >
            {user.hasPassword && (
              <>
                <UserNameField email={user.email} />
                <PasswordField value={password} onChange={setPassword} />
              </>
            )}
          </AccountForm>
          <Button wide tone="secondary" disabled={isSending} onClick={close}>
            Keep My Account
          </Button>
        </div>
      </Dialog>
    </Setting>
  );
}
