import * as z from 'zod/mini';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { EndedSessions } from '../../../domain/ended-session.ts';
import { ex, read, update } from '../client.ts';

/** The ends of sessions, in the user's row in UserPlans. */
export interface SessionEnds {
  /** For handlers that need nothing else of the row. */
  read(userId: string): Promise<EndedSessions | undefined>;
  /**
   * Notes that this session is over, by its `origin_jti`. False, and changes nothing, if the row
   * is missing, has no room for it, or has changed since it was read.
   */
  noteOne(row: UserPlan | undefined, session: string): Promise<boolean>;
  /** Notes that every session that has begun until `now` is over. Does nothing without a row. */
  noteAll(userId: string, now: Date): Promise<void>;
}

// Each has 36 characters. The row is read with every request. Above this number, the
// next one ends all sessions.
const MOST_ENDED = 50;

const Ends = z.object({ ended_sessions: z.optional(z.string()), sessions_ended_at: z.optional(z.number()) });

export const sessionEnds = (table: string): SessionEnds => ({
  read: (id) => read(table, { id }, Ends),

  async noteOne(row, session) {
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

  async noteAll(id, now) {
    const change = ex`SET sessions_ended_at = ${Math.floor(now.getTime() / 1000)} REMOVE ended_sessions`;
    await update(table, { id }, change, ex`attribute_exists(id)`);
  },
});
