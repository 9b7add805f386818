import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { product } from '../../../../schemas/product/product.ts';
import type { SignInNotice } from '../../session/sign-in-notice.ts';
import { setSignInNotice, useSignInNotice } from '../../session/use-sign-in-notice.ts';
import { noticeProps } from '../notice.tsx';
import styles from './signed-out-notice.module.css';

const SIGNED_OUT = "You've been signed out.";

const sentences: Record<SignInNotice, ReactNode> = {
  'signed-out': SIGNED_OUT,
  'signed-out-everywhere': "You've been signed out everywhere.",
  'not-revoked': `${SIGNED_OUT} We couldn't reach our server, so the session is over in this browser only: if this computer isn't yours, sign in on another and press Sign Out Everywhere.`,
  'other-tab': `${SIGNED_OUT} You did that in another tab.`,
  deleted: `${SIGNED_OUT} Your account was deleted in another tab.`,
  revoked: (
    <>
      {SIGNED_OUT} This session was ended, as happens when you sign out everywhere or change your password. If
      that wasn't you, <Link to="/forgot-password">choose a new password</Link>.
    </>
  ),
  expired: `${SIGNED_OUT} For your safety, a session ends sixty days after you sign in.`,
  blocked: `${SIGNED_OUT} This account is blocked. Please write to ${product.supportEmail}.`,
  gone: `${SIGNED_OUT} This account no longer exists. You can create a new one.`,
  unknown: `${SIGNED_OUT} Please sign in again.`,
  'password-changed': `${SIGNED_OUT} Your password was changed. Sign in with the new one.`,
  cancelled: 'The sign-in was canceled. You can try again, or sign in another way.',
  confirmed: 'Your email address is confirmed. Please sign in with your password.',
  'password-set': 'Your new password is set. Please sign in with it.',
};

/**
 * Says once why the user is on the sign-in page: the session is over, or a sign-in didn't happen. The notice
 * takes the focus in order to be read out, but not from a user who is already typing. The built HTML holds
 * the notice hidden, for a user who has just signed out.
 */
export function SignedOutNotice() {
  const waiting = useSignInNotice();
  const [notice, setNotice] = useState<SignInNotice | null>(null);
  const element = useRef<HTMLDivElement>(null);
  if (waiting !== null && waiting !== notice) setNotice(waiting);
  useEffect(() => {
    if (notice === null) return;
    setSignInNotice(null);
    delete document.documentElement.dataset['signedOut'];
    if (!isInUse(document.activeElement)) element.current?.focus();
  }, [notice]);
  return (
    <div {...noticeProps('plain', styles.SignedOut)} ref={element} tabIndex={-1} hidden={notice === null}>
      {sentences[notice ?? 'signed-out']}
    </div>
  );
}

/** Whether the user has moved the focus there. A page that opens focuses its heading, which can't be used. */
const isInUse = (element: Element | null): boolean =>
  element instanceof HTMLElement && element !== document.body && element.tabIndex >= 0;
