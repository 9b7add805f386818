import * as z from 'zod/mini';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { ex, put, read, remove } from './client.ts';

const AddressItem = z.object({ owner: z.string() });

const keyOf = (email: string) => ({ email: asciiLowerCase(email) });

/**
 * Which account has proved an e-mail address: by the mailed code, or by a provider that says it is verified.
 * Kept in the Addresses table, since Cognito lets a provider's account have the address of another account.
 * Addresses are compared without regard to case.
 */
export const addressesTable = (table: string) => ({
  /** The user name of the account. The account may have been deleted since: releasing an address can fail. */
  ownerOf: async (email: string) => (await read(table, keyOf(email), AddressItem))?.owner,

  /**
   * Claims the address. True if the account has the address now or had it before. False, and nothing changes,
   * if another account has it. `insteadOf`: an owner that is believed to be gone and may be replaced.
   */
  claim(email: string, username: string, insteadOf = username) {
    const item: z.infer<typeof AddressItem> = { owner: username };
    const isFree = ex`attribute_not_exists(email) OR #owner IN (${username}, ${insteadOf})`;
    return put(table, { ...keyOf(email), ...item }, isFree);
  },

  /** Does nothing if another account has the address. */
  async release(email: string, username: string) {
    await remove(table, keyOf(email), ex`#owner = ${username}`);
  },
});
export type Addresses = ReturnType<typeof addressesTable>;
