import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/**
 * A user of the pool in the daily export: a line of JSON. Leaves out passwords, sessions and codes, which
 * Cognito reveals to nobody.
 */
export const BackedUpUser = z.object({
  /** Key of the user's plan. The pool gives a restored user another `sub`. */
  sub: z.string(),
  /** The `sub` of an account with a password; `google_1234` of an account that a provider created. */
  username: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  name: z.optional(z.string()),
  /** False if an administrator has disabled the account. */
  enabled: z.boolean(),
  created_at: Timestamp,
  /** The providers' accounts that sign in to this account. `provider`: its name in the pool. */
  identities: z.array(z.object({ provider: z.string(), id: z.string() })),
});
export type BackedUpUser = z.infer<typeof BackedUpUser>;

/** The progress of a pool's export, in the bucket of backups. */
export const UserExportState = z.object({
  /** The day (UTC) of the export, finished or not. */
  day: z.iso.date(),
  /** Time when that export began. */
  began_at: Timestamp,
  /** Number of stored parts. */
  parts: z.number(),
  users: z.number(),
  /**
   * Time as of which the last complete export is valid; before there is one, the time when the first export
   * began.
   */
  complete_as_of: Timestamp,
});
export type UserExportState = z.infer<typeof UserExportState>;

/**
 * Number of leading digits of a `sub`, a UUID, that name a part of an export: one digit makes 16 parts, two
 * make 256.
 */
const DIGITS = 1;

export const USER_EXPORT_PARTS: readonly string[] = Array.from({ length: 16 ** DIGITS }, (_, part) =>
  part.toString(16).padStart(DIGITS, '0'),
);

/** Each pool has a folder of its own: the export of a new pool leaves those of an earlier pool untouched. */
export const userExportState = (poolId: string): string => `users/${poolId}/export.json`;

/** The file of a part: gzipped lines. */
export const userExportPart = (poolId: string, day: string, part: string): string =>
  `users/${poolId}/${day}/${part}.jsonl.gz`;
