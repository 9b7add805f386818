import { takeNotedSession } from '../../account/note-session.ts';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import type { User } from '../../session/session.ts';
import { Sessions } from './sessions.tsx';
import { WaysIn } from './ways-in.tsx';

const useSignIns = () =>
  useLoad('sessions', async () => {
    const noted = await takeNotedSession();
    return noted?.ok ? noted : call('sessions', { body: {} });
  });

export type LoadedSignIns = ReturnType<typeof useSignIns>;

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
