import type { AddressLimits } from '../adapters/dynamodb/address-limits.ts';
import { attempt } from '../runtime/attempt.ts';

/**
 * Counts a mail that anybody may cause, and says whether the address's limit allows it. A table
 * that doesn't answer keeps nobody from signing up.
 */
export const isWithinLimit = async (
  limits: Pick<AddressLimits, 'take'>,
  ...[cause, email, now]: Parameters<AddressLimits['take']>
): Promise<boolean> =>
  (await attempt('limit-not-counted', { kind: cause }, () => limits.take(cause, email, now))) ?? true;
