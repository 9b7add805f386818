import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useHydrated } from './hydrated.ts';

/** A field whose text stays in the history entry. Never a secret. */
type Field = 'name' | 'email' | 'newEmail';

/** A field's text, from the history entry until the user types, and its setter. `first`: without either. */
export function useTyped(field: Field, first = ''): [string, (text: string) => void] {
  const { state } = useLocation() as { state: Partial<Record<Field, unknown>> | null };
  const hydrated = useHydrated();
  const kept = hydrated ? state?.[field] : undefined;
  const [typed, setTyped] = useState<string | null>(null);
  const edit = (text: string) => {
    setTyped(text);
    keepTyped(field, text);
  };
  return [typed ?? (typeof kept === 'string' ? kept : first), edit];
}

/** Keeps a field's text in the history entry, where the way back, a reload and a sign-in find it again. */
function keepTyped(field: Field, text: string): void {
  const entry = history.state as { usr?: object } | null;
  try {
    history.replaceState({ ...entry, usr: { ...entry?.usr, [field]: text } }, '');
  } catch {
    // Safari refuses more than a hundred changes in half a minute.
  }
}
