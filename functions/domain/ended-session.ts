import type { UserPlan } from '../../schemas/rows/plan.ts';

/** The ends of sessions in a user's row. */
export type EndedSessions = Pick<UserPlan, 'ended_sessions' | 'sessions_ended_at'>;

/** A session as its access tokens identify it. */
export interface SessionIdentity {
  /** Cognito's `origin_jti`, which all tokens of a sign-in share. It opens nothing. */
  session: string;
  /** To the second. */
  signedInAt: Date;
}

/**
 * Whether the user has ended the session. Cognito's refresh tokens outlive that: Cognito can't revoke one
 * without having it.
 */
export const isSessionEnded = (
  row: EndedSessions | undefined,
  { session, signedInAt }: SessionIdentity,
): boolean =>
  row !== undefined &&
  // To the second: the user may have signed in again within it.
  (signedInAt.getTime() < (row.sessions_ended_at ?? 0) * 1000 ||
    row.ended_sessions?.includes(session) === true);
