import { takeNotedSession } from '../session/note-session.ts';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';

/** Reads how the user signs in, where the account is signed in, and the change of address that waits. */
export const useSignIns = () =>
  useLoad('sessions', async () => {
    const noted = await takeNotedSession();
    return noted?.ok ? noted : call('sessions', { body: {} });
  });

export type LoadedSignIns = ReturnType<typeof useSignIns>;
