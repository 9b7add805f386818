import { useId, useState } from 'react';
import { signOutEverywhere } from '../../../account/end-all-sessions.ts';
import { ActionButton } from '../../../components/account/action-button.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import styles from '../settings.module.css';

export function SignOutEverywhere() {
  const title = useId();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button tone="secondary" onClick={() => setOpen(true)}>
        Sign Out Everywhere
      </Button>
      <Dialog open={isOpen} onClose={close} labelledBy={title}>
        <div className={styles.Asked} data-stack="4">
          <h2 id={title}>Sign out everywhere?</h2>
          <p>You'll be signed out here and on every other device, which may take up to 15 minutes.</p>
          <ActionButton wide work={signOutEverywhere} busy="Signing out...">
            Yes, Sign Out Everywhere
          </ActionButton>
          <Button wide tone="secondary" onClick={close}>
            No, Stay Signed In
          </Button>
        </div>
      </Dialog>
    </>
  );
}
