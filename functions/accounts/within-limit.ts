import type { AddressLimits } from '../adapters/dynamodb/address-limits.ts';
import { log } from '../runtime/log.ts';

/**
 * Counts something that anybody may do to an address, and says whether the limit allows it. A table
 * that doesn't answer keeps nobody from signing up.
 */
export async function isWithinLimit(
  limits: AddressLimits,
  ...[kind, email, now]: Parameters<AddressLimits['take']>
): Promise<boolean> {
  try {
    return await limits.take(kind, email, now);
  } catch (error) {
    log.error('limit-not-counted', { kind }, error);
    return true;
  }
}
