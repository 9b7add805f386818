import { DAILY_MAILS, type MailPurpose, purposesByMailbox } from '../../../schemas/product/mail-limits.ts';
import { mailboxOf } from '../../../schemas/shapes/mailbox.ts';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { ex, update } from './client.ts';

export interface AddressLimits {
  /**
   * Counts one more mail. False, and counts nothing, if the limit is reached. `of`: the mail's address, or
   * instead of an account's address the id of the account or of its browser.
   */
  take(purpose: MailPurpose, of: string, now: Date): Promise<boolean>;
}

const DAY = 86_400;
const DATE = '2030-01-15'.length;

const isByMailbox = (purpose: MailPurpose): boolean =>
  (purposesByMailbox as readonly MailPurpose[]).includes(purpose);

/**
 * Counters in the table Limits, which removes them after two days. Each is counted in a single write, so
 * that concurrent calls can't pass the limit. The key has a hash instead of the address: the table keeps no
 * address that only a stranger has typed.
 */
export const addressLimits = (table: string): AddressLimits => ({
  take(purpose, of, now) {
    const name = asciiLowerCase(of);
    const counted = sha256(isByMailbox(purpose) ? mailboxOf(name) : name);
    return update(
      table,
      { id: `${purpose}/${now.toISOString().slice(0, DATE)}/${counted}` },
      ex`ADD taken ${1} SET expires_at = ${Math.floor(now.getTime() / 1000) + 2 * DAY}`,
      ex`attribute_not_exists(taken) OR taken < ${DAILY_MAILS}`,
    );
  },
});
