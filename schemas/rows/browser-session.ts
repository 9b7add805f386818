import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/** Browsers share their table with the sessions of apps. */
export const BROWSER_KEY = 'browser/';

/** An item of the AppSessions table, keys `user_id` and `id`: a known browser of a user, also signed out. */
export const BrowserSession = z.object({
  user_id: z.string(),
  /** `BROWSER_KEY` and the hash of the browser's cookie. */
  id: z.string(),
  /** Like `Firefox on Windows`: one of the texts of `functions/domain/browser-kind.ts`. */
  kind: z.string(),
  /** The newest session's `origin_jti`. Absent: the user has signed out. */
  session: z.optional(z.string()),
  signed_in_at: Timestamp,
  /** To the day: written once a day. */
  used_at: Timestamp,
  /** Unix seconds. A year after the last use; then DynamoDB may delete the item. */
  expires_at: z.number(),
});
export type BrowserSession = z.infer<typeof BrowserSession>;
