import * as z from 'zod/mini';
import { Timestamp } from './plan.ts';

/**
 * What the form sends. The address is lower-cased and trimmed before it is judged, so that one person is
 * one entry. The pattern is the browser's own for `type=email`; 254 is RFC 5321's longest address.
 */
export const WaitlistRequest = z.strictObject({
  email: z
    .string()
    .check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email({ pattern: z.regexes.html5Email })),
  // Half a surrogate pair is no text, and DynamoDB takes none.
  name: z.string().check(
    z.trim(),
    z.minLength(1),
    z.refine((name) => name.isWellFormed()),
  ),
});
export type WaitlistRequest = z.infer<typeof WaitlistRequest>;

/** A row of the Waitlist table, key `email`. */
export const WaitlistEntry = z.object({
  email: z.string(),
  name: z.string(),
  created_at: Timestamp,
});
export type WaitlistEntry = z.infer<typeof WaitlistEntry>;
