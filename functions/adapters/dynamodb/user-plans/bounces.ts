import { ex, update } from '../client.ts';

/** Whether mail to the addresses of accounts bounces, in the UserPlans table. */
export interface Bounces {
  /** Mail to this address bounces. Changes nothing if the account has another one, or no row. */
  note(id: string, address: string, now: Date): Promise<void>;
  /** The mailbox has proved itself again. Resolves with whether the account has this address. */
  end(id: string, address: string): Promise<boolean>;
}

const isOwn = (address: string) =>
  ex`attribute_exists(id) AND (attribute_not_exists(address) OR address = ${address})`;

export const bounces = (table: string): Bounces => ({
  async note(id, address, now) {
    await update(table, { id }, ex`SET mail_bounced_at = ${now.toISOString()}`, isOwn(address));
  },

  end: (id, address) => update(table, { id }, ex`REMOVE mail_bounced_at`, isOwn(address)),
});
