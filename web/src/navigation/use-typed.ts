import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useHydrated } from './hydrated.ts';
import { type Field, keepTyped } from './keep-typed.ts';

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
