import * as z from 'zod/mini';
import { nameFault } from '../person-name.ts';
import { plainAddress, visibleText } from '../plain-text.ts';
import { Timestamp } from './plan.ts';
import { refusedAs } from '../shapes/refused-as.ts';

export const PersonName = z.string().check(z.overwrite(visibleText), z.trim(), refusedAs(nameFault));

/** Normalized, so that a user has one entry. The pattern is the browser's, and 254 RFC 5321's maximum. */
export const WaitlistRequest = z.strictObject({
  email: z
    .string()
    .check(
      z.overwrite(plainAddress),
      z.toLowerCase(),
      z.maxLength(254),
      z.email({ pattern: z.regexes.html5Email }),
    ),
  name: PersonName,
});

/** A row of the Waitlist table, key `email`. */
export const WaitlistEntry = z.object({ email: z.string(), name: z.string(), created_at: Timestamp });
export type WaitlistEntry = z.infer<typeof WaitlistEntry>;
