import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isAccountPage } from '../pages/pages.ts';
import { clearStorage } from '../session/clear-session.ts';
import { within } from '../session/within.ts';
import { setSession, useSession } from '../session/session.ts';
import { setSignInNotice } from '../session/use-sign-in-notice.ts';
import { Button, type ButtonVariant } from './button.tsx';

// Milliseconds. The code has usually loaded before.
const PATIENCE = 2_000;

const loadCode = () => import('../account/sign-out-here.ts');

export function SignOutButton(variant: ButtonVariant) {
  const [leaving, setLeaving] = useState(false);
  const isSignedIn = useSession().kind === 'signed-in';
  const navigate = useNavigate();
  // Signing out works without a network, and the sign-in page then says what that means.
  useEffect(() => {
    if (isSignedIn) loadCode().catch(() => {});
  }, [isSignedIn]);
  const signOut = async () => {
    if (leaving) return;
    setLeaving(true);
    const from = accountPage();
    if (await signOutHere(from)) return;
    setLeaving(false);
    // An account page redirects by itself.
    if (from === null) await navigate('/login');
  };
  return (
    // Not disabled while leaving: a disabled button loses the focus.
    <Button {...variant} aria-busy={leaving} onClick={() => void signOut()}>
      Sign Out
    </Button>
  );
}

/** Resolves with whether another page is about to load. */
async function signOutHere(from: string | null): Promise<boolean> {
  try {
    return await (await within(PATIENCE, loadCode())).signOutHere(from);
  } catch {
    clearStorage();
    setSignInNotice('not-revoked');
    setSession({ kind: 'signed-out' });
    return false;
  }
}

/** The path of this page, to return to after the next sign-in; null if everyone can see the page. */
function accountPage(): string | null {
  const { pathname, search, hash } = location;
  return isAccountPage(pathname) ? pathname + search + hash : null;
}
