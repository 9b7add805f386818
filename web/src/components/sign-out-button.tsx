import { useState } from 'react';
import { Button, type Look } from './button.tsx';

export function SignOutButton(look: Look) {
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
    <Button {...look} disabled={leaving} onClick={() => void signOut()}>
      Sign Out
    </Button>
  );
}
