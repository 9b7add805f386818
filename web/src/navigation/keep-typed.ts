/** A field whose text stays in the history entry. Never a secret. */
export type Field = 'name' | 'email' | 'newEmail';

/** Keeps a field's text in the history entry, where the way back, a reload and a sign-in find it again. */
export function keepTyped(field: Field, text: string): void {
  const entry = history.state as { usr?: object } | null;
  try {
    history.replaceState({ ...entry, usr: { ...entry?.usr, [field]: text } }, '');
  } catch {
    // Safari refuses more than a hundred changes in half a minute.
  }
}
