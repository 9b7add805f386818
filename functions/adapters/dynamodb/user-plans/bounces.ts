import { ex, update } from '../client.ts';

const isOwn = (address: string) =>
  ex`attribute_exists(id) AND (attribute_not_exists(address) OR address = ${address})`;

/** Whether mail to the addresses of accounts bounces, in the UserPlans table. */
export const bounces = (table: string) => ({
  /** Mail to this address bounces. Changes nothing if the account has another one, or no row. */
  async note(id: string, address: string, now: Date) {
    await update(table, { id }, ex`SET mail_bounced_at = ${now.toISOString()}`, isOwn(address));
  },

  /** The mailbox has proved itself again. Resolves with whether the account has this address. */
  end: (id: string, address: string) => update(table, { id }, ex`REMOVE mail_bounced_at`, isOwn(address)),
});
