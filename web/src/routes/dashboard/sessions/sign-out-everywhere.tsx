import { useId, useState } from 'react';
import { signOutEverywhere } from '../../../account/end-all-sessions.ts';
import { useAccountForm } from '../../../components/account/use-account-form.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import styles from '../dashboard.module.css';

export function SignOutEverywhere() {
  const title = useId();
  const [isOpen, setOpen] = useState(false);
  const { state, edit, send } = useAccountForm();
  const isLeaving = state.kind === 'sending';
  const close = () => {
    setOpen(false);
    edit();
  };
  return (
    <>
      <Button tone="secondary" onClick={() => setOpen(true)}>
        Sign Out Everywhere
      </Button>
      <Dialog open={isOpen} onClose={close} labelledBy={title}>
        <div className={styles.Asked}>
          <h2 id={title}>Sign out everywhere?</h2>
          {state.kind === 'refused' && <Notice tone="danger">{state.message}</Notice>}
          <p>You'll be signed out here and on every other device, which may take up to 15 minutes.</p>
          <Button
            wide
            aria-busy={isLeaving}
            onClick={() => {
              if (!isLeaving) void send(signOutEverywhere());
            }}
          >
            {isLeaving ? 'Signing out...' : 'Yes, Sign Out Everywhere'}
          </Button>
          <Button wide tone="secondary" onClick={close}>
            No, Stay Signed In
          </Button>
        </div>
      </Dialog>
    </>
  );
}
