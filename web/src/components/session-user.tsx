import { useLayoutEffect } from 'react';
import { useSession } from '../session/session.ts';
import { EmailAddress } from './email-address.tsx';
import { showRememberedUser } from './remembered-user.ts';
import styles from './session-user.module.css';

/** The user's name, on pages that wait for the session: there from the first paint. */
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

/** The user's address, likewise. */
export function SessionUserEmail() {
  const session = useSession();
  if (session.kind !== 'signed-in') return <Remembered className={styles.Email} />;
  return <EmailAddress of={session.user.email} />;
}

/** Its styles show the remembered user. In the built HTML, the script in the head has given them the text. */
function Remembered({ className }: { className: string | undefined }) {
  useLayoutEffect(showRememberedUser, []);
  return <span className={className} />;
}
