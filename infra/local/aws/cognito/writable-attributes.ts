import { invalidParameter } from './errors.ts';
import type { UserPoolSettings } from './settings.ts';

/** Attributes that only administrators may write, and no app client. */
export const FOR_ADMINISTRATORS = new Set(['email_verified', 'phone_number_verified']);

/**
 * Refuses a client's list of writable attributes as Cognito does: the list lacks an attribute that the pool
 * requires ("all app clients can write user pool required attributes", developer guide), or names an
 * attribute that no client may write.
 */
export function checkWritable({ Schema }: UserPoolSettings, writable: readonly string[]): void {
  const lacks = Schema.some(({ Name, Required }) => Required && !writable.includes(Name));
  if (lacks || writable.some((name) => name === 'sub' || FOR_ADMINISTRATORS.has(name))) {
    throw invalidParameter('Invalid write attributes specified while creating a client');
  }
}
