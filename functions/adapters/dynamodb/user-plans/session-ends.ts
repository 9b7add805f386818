import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { EndedSessions } from '../../../domain/ended-session.ts';

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

// Imported on demand: most confirmations end no session.
const stored = () => import('./stored-session-ends.ts');

export const sessionEnds = (table: string): SessionEnds => ({
  read: async (userId) => (await stored()).read(table, userId),
  noteOne: async (row, session) => (await stored()).noteOne(table, row, session),
  noteAll: async (userId, now) => (await stored()).noteAll(table, userId, now),
});
