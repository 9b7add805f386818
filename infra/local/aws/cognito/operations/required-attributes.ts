import { CognitoError } from '../errors.ts';
import type { UserPool } from '../pools.ts';

/** Refuses to remove attributes that the pool requires. An empty value removes an attribute too. */
export function checkNotRequired(pool: UserPool, removed: readonly string[]): void {
  for (const { Name, Required } of pool.settings.Schema) {
    if (Required && removed.includes(Name)) {
      throw new CognitoError(
        'InvalidParameterException',
        `user.${Name}: Required attribute cannot be deleted.`,
      );
    }
  }
}
