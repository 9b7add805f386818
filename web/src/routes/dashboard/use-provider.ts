import { useEffect, useState } from 'react';
import { providerOfSession } from '../../session/own-account.ts';
import type { User } from '../../session/session.ts';

/** What to call whoever signs the person in who has no password here. */
export function useProvider({ hasPassword }: User): string {
  const [provider, setProvider] = useState<string>('your provider');
  useEffect(() => {
    if (hasPassword) return undefined;
    let current = true;
    void providerOfSession().then((name) => {
      if (current && name !== null) setProvider(name);
    });
    return () => {
      current = false;
    };
  }, [hasPassword]);
  return provider;
}
