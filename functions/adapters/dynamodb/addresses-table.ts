import * as z from 'zod/mini';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { ex, put, read, remove } from './client.ts';

/**
 * Which account has proved an e-mail address: by the mailed code, or by a provider that says it is verified.
 * Kept in the Addresses table, since Cognito lets a provider's account have the address of another account.
 * Addresses are compared without regard to case.
 */
export interface Addresses {
  /** The user name of the account. The account may have been deleted since: releasing an address can fail. */
  ownerOf(email: string): Promise<string | undefined>;
  /**
   * Claims the address. True if the account has the address now or had it before. False, and nothing changes,
   * if another account has it. `insteadOf`: an owner that is believed to be gone and may be replaced.
   */
  claim(email: string, username: string, insteadOf?: string): Promise<boolean>;
  /** Does nothing if another account has the address. */
  release(email: string, username: string): Promise<void>;
}

const AddressItem = z.object({ owner: z.string() });

const keyOf = (email: string) => ({ email: asciiLowerCase(email) });

export const addressesTable = (table: string): Addresses => ({
  ownerOf: async (email) => (await read(table, keyOf(email), AddressItem))?.owner,

  claim(email, username, insteadOf = username) {
    const item: z.infer<typeof AddressItem> = { owner: username };
    const isFree = ex`attribute_not_exists(email) OR #owner IN (${username}, ${insteadOf})`;
    return put(table, { ...keyOf(email), ...item }, isFree);
  },

  async release(email, username) {
    await remove(table, keyOf(email), ex`#owner = ${username}`);
  },
});
