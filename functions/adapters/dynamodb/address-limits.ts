import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { countedSignUp } from '../../domain/mailbox.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { ex, update } from './client.ts';

/**
 * The number of mails in a day (UTC) that one cause may send to an address, whoever asks and however often
 * the account behind it is made again. Each cause has its own count, and every link in those mails works: a
 * stranger who spends a count leaves the owner ten links.
 */
export const DAILY_MAILS = 10;

/** `sign-in`: about a sign-in with another browser, which only a signed-in user can cause. */
export type MailCause = 'sign-up' | 'reset' | 'end-contract' | 'sign-in';

/** Changes of address that one account may ask for in a day, whatever the addresses. */
const DAILY_CHANGES = 10;

export interface AddressLimits {
  /** Counts one more. False, and counts nothing, if the limit is reached. */
  take(cause: MailCause, email: string, now: Date): Promise<boolean>;
  /** The same for an account that asks for another address. */
  takeChange(userId: string, now: Date): Promise<boolean>;
}

const DAY = 86_400;
const DATE = '2030-01-15'.length;

/**
 * Counters in the table Limits, which removes them after two days. Each is counted in a single write, so
 * that concurrent calls can't pass the limit. The key has a hash instead of the address: the table keeps no
 * address that only a stranger has typed.
 */
export function addressLimits(table: string): AddressLimits {
  const take = (cause: string, of: string, limit: number, now: Date): Promise<boolean> =>
    update(
      table,
      { id: `${cause}/${now.toISOString().slice(0, DATE)}/${sha256(of)}` },
      ex`ADD taken ${1} SET expires_at = ${Math.floor(now.getTime() / 1000) + 2 * DAY}`,
      ex`attribute_not_exists(taken) OR taken < ${limit}`,
    );
  return {
    take: (cause, email, now) =>
      take(cause, cause === 'sign-up' ? countedSignUp(email) : asciiLowerCase(email), DAILY_MAILS, now),
    takeChange: (userId, now) => take('change', userId, DAILY_CHANGES, now),
  };
}
