import { useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { signOutEverywhere } from '../../../account/end-all-sessions.ts';
import styles from '../dashboard.module.css';

type State =
  | { kind: 'idle' }
  | { kind: 'asking' }
  | { kind: 'leaving' }
  | { kind: 'refused'; message: string };

export function SignOutEverywhere() {
  const title = useId();
  const [state, setState] = useState<State>({ kind: 'idle' });

  const leave = async () => {
    if (state.kind === 'leaving') return;
    setState({ kind: 'leaving' });
    const outcome = await signOutEverywhere();
    // On success the browser is already loading the sign-in page.
    if (outcome.kind === 'refused') setState(outcome);
  };

  return (
    <>
      <Button tone="secondary" onClick={() => setState({ kind: 'asking' })}>
        Sign Out Everywhere
      </Button>
      <Dialog open={state.kind !== 'idle'} onClose={() => setState({ kind: 'idle' })} labelledBy={title}>
        <div className={styles.Asked}>
          <h2 id={title}>Sign out everywhere?</h2>
          {state.kind === 'refused' && <Notice tone="danger">{state.message}</Notice>}
          <p>You'll be signed out here and on every other device, which may take up to 15 minutes.</p>
          <Button wide aria-busy={state.kind === 'leaving'} onClick={() => void leave()}>
            {state.kind === 'leaving' ? 'Signing out...' : 'Yes, Sign Out Everywhere'}
          </Button>
          <Button wide tone="secondary" onClick={() => setState({ kind: 'idle' })}>
            No, Stay Signed In
          </Button>
        </div>
      </Dialog>
    </>
  );
}
