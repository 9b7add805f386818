import type { UserPlan } from '../../schemas/rows/plan.ts';

/** The attributes of a user's row that say what still counts. */
export type AccountMoment = Pick<UserPlan, 'ended_sessions' | 'valid_since'>;

/** A session as its access tokens identify it. */
export interface SessionIdentity {
  /** Cognito's `origin_jti`, which all tokens of a sign-in share. It opens nothing. */
  session: string;
  /** To the second. */
  signedInAt: Date;
}

/** The row with the later of its own moment and of the moment of everybody. */
export const withMoment = <Row extends AccountMoment>(row: Row, ofEverybody = ''): Row =>
  (row.valid_since ?? '') < ofEverybody ? { ...row, valid_since: ofEverybody } : row;

/** Whether the user has ended a session, or taken back what is older, to the second of another sign-in. */
export const isSessionEnded = (row: AccountMoment | undefined, { session, signedInAt }: SessionIdentity) =>
  row !== undefined &&
  (signedInAt.getTime() < Math.floor(Date.parse(row.valid_since ?? EVER) / 1000) * 1000 ||
    row.ended_sessions?.includes(session) === true);

const EVER = new Date(0).toISOString();

/** Whether a proof or a requested change of address (ISO 8601) is older than what the account took back. */
export const isVoid = (row: AccountMoment | undefined, madeAt: string | undefined): boolean =>
  (madeAt ?? EVER) < (row?.valid_since ?? EVER);
