import { useLayoutEffect } from 'react';
import { useSession } from '../session/session.ts';
import { EmailAddress } from './email-address.tsx';
import { showRememberedUser } from './remembered-user.ts';
import styles from './session-user.module.css';

/** The user's name, on pages that wait for the session: visible from the first paint. */
export function SessionUserName() {
  const session = useSession();
  if (session.kind !== 'signed-in') return <Remembered className={styles.Name} />;
  return session.user.name ?? 'User';
}

/** The comma and the name after a greeting. */
export function SessionUserGreeted() {
  const session = useSession();
  if (session.kind !== 'signed-in') return <Remembered className={styles.Greeted} />;
  return `, ${session.user.name ?? 'User'}`;
}

/** The user's address, also visible from the first paint. */
export function SessionUserEmail() {
  const session = useSession();
  if (session.kind !== 'signed-in') return <Remembered className={styles.Email} />;
  return <EmailAddress of={session.user.email} />;
}

/** An empty element whose styles show the remembered user, from the head script's text. */
function Remembered({ className }: { className: string | undefined }) {
  useLayoutEffect(showRememberedUser, []);
  return <span className={className} />;
}
