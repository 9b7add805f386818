import * as z from 'zod/mini';
import { providerKeys } from '../product/providers.ts';
import { Timestamp } from '../rows/plan.ts';

/** A place where an account is signed in. */
export const ListedSession = z.object({
  id: z.string(),
  kind: z.enum(['browser', 'app']),
  /** The kind of browser, like `Firefox on Windows`, or the app's address. */
  name: z.string(),
  signedInAt: Timestamp,
  usedAt: Timestamp,
  /** Whether it is the caller's own. */
  isCurrent: z.boolean(),
});
export type ListedSession = z.infer<typeof ListedSession>;

/** The ways to sign in to an account. */
export const WaysIn = z.object({
  password: z.boolean(),
  /** The provider that made the account comes first. */
  providers: z.array(z.enum(providerKeys)),
});
export type WaysIn = z.infer<typeof WaysIn>;
