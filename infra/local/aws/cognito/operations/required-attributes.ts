import { CognitoError } from '../errors.ts';
import type { UserPool } from '../pools.ts';

/** Refuses to take away what the pool requires of everybody. An empty value takes an attribute away, too. */
export function keepRequired(pool: UserPool, removed: readonly string[]): void {
  for (const { Name, Required } of pool.settings.Schema) {
    if (Required && removed.includes(Name)) {
      throw new CognitoError(
        'InvalidParameterException',
        `user.${Name}: Required attribute cannot be deleted.`,
      );
    }
  }
}
