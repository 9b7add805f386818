import type { UserPoolClient } from './pools.ts';
import { visibleAttributes, type User } from './users.ts';

/**
 * What a client learns of somebody, as far as it may read. `scopes`, where it came by the hosted endpoints: `openid` alone
 * shows all; `email` and `phone`, where `profile` isn't there too, leave what they name.
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
