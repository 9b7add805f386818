import type { Addresses } from '../adapters/dynamodb/addresses-table.ts';
import { log } from '../runtime/log.ts';

/** A failure is only logged: whoever proves the address next finds that this account doesn't hold it. */
export async function releaseAddress(
  addresses: Pick<Addresses, 'release'>,
  user: string,
  { email, username }: { email: string; username: string },
): Promise<void> {
  try {
    await addresses.release(email, username);
  } catch (error) {
    log.error('address-not-released', { user }, error);
  }
}
