import type { UserPoolClient } from './pools.ts';
import { visibleAttributes, type User } from './users.ts';

/**
 * The attributes that a client may read. `scopes` are those of a hosted sign-in: `openid` alone shows all
 * attributes; `email` or `phone` without `profile` show only their own.
 */
export function readableAttributes(
  { settings: { ReadAttributes: readable } }: UserPoolClient,
  user: User,
  scopes: readonly string[] = [],
): Record<string, string> {
  const named = scopes.flatMap((scope) => narrower.get(scope) ?? []);
  const all = named.length === 0 || scopes.includes('profile');
  const shows = (name: string): boolean => {
    if (name === 'sub' || name === 'identities') return true;
    return (!readable || readable.includes(name)) && (all || named.includes(name));
  };
  return Object.fromEntries(Object.entries(visibleAttributes(user)).filter(([name]) => shows(name)));
}

const narrower = new Map([
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
]);
