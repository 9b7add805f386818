import { randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id as Stripe writes them: a prefix that tells the kind, then letters nobody can guess. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${randomLetters(length)}`;
}

export function randomLetters(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/** The id of what is named, expanded or not; empty, which names nothing, where nothing is. */
export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');
