import * as z from 'zod/mini';
import { providerKeys } from '../../../../schemas/product/providers.ts';
import { EVERYBODY, Timestamp, type UserPlan } from '../../../../schemas/rows/plan.ts';
import { ex, read, update } from '../client.ts';

/** The part of a row that says what opens the account, and since when. */
const AccountRow = z.object({
  ended_sessions: z.optional(z.string()),
  valid_since: z.optional(Timestamp),
  address: z.optional(z.string()),
  made_by: z.optional(z.enum(providerKeys)),
  mail_bounced_at: z.optional(Timestamp),
});

// Each has 36 characters, and the row is read with every request. The next one ends all sessions.
const MOST_ENDED = 50;

// Milliseconds.
const EVERYBODY_CACHED = 60_000;

const readMoment = (table: string, id: string) => read(table, { id }, AccountRow);

/** Reads the `valid_since` that counts for all accounts, once a minute. */
export function everybodyIn(table: string): () => Promise<string | undefined> {
  let known: { at: number; moment: Promise<string | undefined> } | undefined;
  return () => {
    const at = Date.now();
    if (known === undefined || Math.abs(at - known.at) > EVERYBODY_CACHED) {
      const moment = readMoment(table, EVERYBODY).then((row) => row?.valid_since);
      known = { at, moment };
      moment.catch(() => (known = undefined));
    }
    return known.moment;
  };
}

/** The attributes of the rows in UserPlans that say since when sessions, proofs and requests count. */
export const accountMoments = (table: string) => ({
  /** For handlers that need nothing else of the row. */
  read: (userId: string) => readMoment(table, userId),
  everybody: everybodyIn(table),

  /** Notes that a session (its `origin_jti`) is over. False if the row is missing, full, or has changed. */
  async noteOne(row: UserPlan | undefined, session: string) {
    if (!row) return false;
    const before = row.ended_sessions;
    const ended = [...new Set([...(before?.split(' ') ?? []), session])];
    if (ended.length > MOST_ENDED) return false;
    const after = ended.join(' ');
    const still =
      before === undefined ? ex`attribute_not_exists(ended_sessions)` : ex`ended_sessions = ${before}`;
    return update(
      table,
      { id: row.id },
      ex`SET ended_sessions = ${after}`,
      // Equal to the new value, because the SDK repeats the request if an answer is lost.
      ex`attribute_exists(id) AND (ended_sessions = ${after} OR ${still})`,
    );
  },

  /** Makes everything void that is older than `at`. Does nothing without a row. */
  async takeBack(id: string, at: Date) {
    const moment = at.toISOString();
    await update(
      table,
      { id },
      ex`SET valid_since = ${moment} REMOVE ended_sessions`,
      // A later moment stays.
      ex`attribute_exists(id) AND (attribute_not_exists(valid_since) OR valid_since <= ${moment})`,
    );
  },
});
export type AccountMoments = ReturnType<typeof accountMoments>;
