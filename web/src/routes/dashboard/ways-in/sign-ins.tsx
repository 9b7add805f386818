import type { User } from '../../../session/session.ts';
import { Sessions } from '../sessions/sessions.tsx';
import { useSignIns } from './use-sign-ins.ts';
import { WaysIn } from './ways-in.tsx';

/** How the user signs in, and where the account is signed in. One call reads both. */
export function SignIns({ user }: { user: User }) {
  const signIns = useSignIns();
  return (
    <>
      <WaysIn user={user} {...signIns} />
      <Sessions {...signIns} />
    </>
  );
}
