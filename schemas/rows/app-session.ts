import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/** An item of the AppSessions table, keys `user_id` and `id`: one sign-in of a user to an app, by a code. */
export const AppSession = z.object({
  user_id: z.string(),
  id: z.string(),
  redirect_uri: z.string(),
  created_at: Timestamp,
  /** Time of the last refresh, or of the sign-in. */
  used_at: Timestamp,
  /** Number of refreshes. The newest refresh tokens have this number: several, if answers were lost. */
  refreshes: z.number(),
  /** SHA-256 of the refresh token that was used last. It works until one of the newest is used. */
  used_token: z.optional(z.string()),
  /** Unix seconds. Sixty days after the sign-in; then DynamoDB may delete the item. */
  expires_at: z.number(),
});
export type AppSession = z.infer<typeof AppSession>;

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
