import * as z from 'zod/mini';
import {
  DAILY_MAILS,
  DAYS_OF_COMPLAINT,
  type MailPurpose,
  mailPurposes,
} from '../../../schemas/product/mail-limits.ts';
import { mailboxOf } from '../../../schemas/shapes/mailbox.ts';
import { asciiLowerCase } from '../../domain/ascii-lower-case.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { ex, put, read, remove, update } from './client.ts';

const DAY = 86_400;
const DATE = '2030-01-15'.length;

/** Unix seconds. */
const after = (now: Date, days: number): number => Math.floor(now.getTime() / 1000) + days * DAY;

const complaintOf = (email: string) => ({ id: `complaint/${sha256(mailboxOf(asciiLowerCase(email)))}` });

const Complaint = z.object({ expires_at: z.number() });

/**
 * Counters and complaints in the table Limits, which removes them in time. Keys have a hash instead of the
 * address: the table keeps no address that only a stranger has typed.
 */
export const addressLimits = (table: string) => ({
  /**
   * Counts one more mail. False, and counts nothing, if the limit is reached. `of`: the mail's address, or
   * instead of an account's address the id of the account or of its browser.
   */
  take(purpose: MailPurpose, of: string, now: Date) {
    const name = asciiLowerCase(of);
    const counted = mailPurposes[purpose].countedBy === 'mailbox' ? mailboxOf(name) : name;
    return update(
      table,
      { id: `${purpose}/${now.toISOString().slice(0, DATE)}/${sha256(counted)}` },
      ex`ADD taken ${1} SET expires_at = ${after(now, 2)}`,
      ex`attribute_not_exists(taken) OR taken < ${DAILY_MAILS}`,
    );
  },

  /** Whether somebody has marked our mail to this mailbox as spam, and asked for none since. */
  async isComplained(email: string, now: Date) {
    const complaint = await read(table, complaintOf(email), Complaint);
    return complaint !== undefined && complaint.expires_at > now.getTime() / 1000;
  },

  async complain(email: string, now: Date) {
    await put(table, { ...complaintOf(email), expires_at: after(now, DAYS_OF_COMPLAINT) });
  },

  async liftComplaint(email: string) {
    await remove(table, complaintOf(email));
  },
});
export type AddressLimits = ReturnType<typeof addressLimits>;
