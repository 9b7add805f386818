import { useState } from 'react';
import { Button, type ButtonVariant } from './button.tsx';

export function SignOutButton(variant: ButtonVariant) {
  const [leaving, setLeaving] = useState(false);
  const signOut = async () => {
    setLeaving(true);
    try {
      const account = await import('../session/sign-out.ts');
      await account.signOutAndLeave();
    } catch {
      setLeaving(false);
    }
  };
  return (
    <Button {...variant} disabled={leaving} onClick={() => void signOut()}>
      Sign Out
    </Button>
  );
}
