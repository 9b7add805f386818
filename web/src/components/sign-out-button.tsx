import { useState } from 'react';
import { routeAt } from '../app/routes.tsx';
import { Button, type ButtonVariant } from './button.tsx';

export function SignOutButton(variant: ButtonVariant) {
  const [leaving, setLeaving] = useState(false);
  const signOut = async () => {
    if (leaving) return;
    setLeaving(true);
    try {
      const { signOutHere } = await import('../account/sign-out-here.ts');
      await signOutHere(accountPage());
    } catch {
      setLeaving(false);
    }
  };
  return (
    // Not disabled while leaving: a disabled button loses the focus.
    <Button {...variant} aria-busy={leaving} onClick={() => void signOut()}>
      Sign Out
    </Button>
  );
}

/** The path of this page, to return to after the next sign-in; null if everyone can see the page. */
function accountPage(): string | null {
  const { pathname, search, hash } = location;
  return routeAt(pathname).page.access === 'signed-in' ? pathname + search + hash : null;
}
