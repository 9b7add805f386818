import type { AddressLimits } from '../adapters/dynamodb/address-limits.ts';
import { log } from '../runtime/log.ts';

/**
 * Counts a mail that anybody may cause, and says whether the address's limit allows it. A table
 * that doesn't answer keeps nobody from signing up.
 */
export async function isWithinLimit(
  limits: Pick<AddressLimits, 'take'>,
  ...[cause, email, now]: Parameters<AddressLimits['take']>
): Promise<boolean> {
  try {
    return await limits.take(cause, email, now);
  } catch (error) {
    log.error('limit-not-counted', { kind: cause }, error);
    return true;
  }
}
