import * as z from 'zod/mini';
import { providerKeys } from '../product/providers.ts';
import { Invoice } from './invoice.ts';
import { Standing } from './standing.ts';
import { Identity, WaitingChange } from '../rows/address-change.ts';
import { Timestamp, UserPlan } from '../rows/plan.ts';
import { WaitlistEntry } from '../rows/waitlist.ts';

/** A Stripe subscription in the export. */
const ExportedSubscription = z.object({
  id: z.string(),
  /** Stripe's `status`. */
  status: z.string(),
  current_period_end: Timestamp,
  /** Null while the subscription renews. */
  ends_at: z.nullable(Timestamp),
  /** The offer that the user accepted by paying; null for a subscription of support's, or an older one. */
  agreed: z.nullable(z.object({ at: Timestamp, offer: z.string(), terms: z.string(), price: z.string() })),
});

/**
 * All personal data of a user. Technical fields of the row are left out: `version` counts writes,
 * `expiry_shard` and `idle_shard` are hashes of the id, `closing_until` is the lock of a deletion,
 * `ended_sessions` has Cognito's ids of sessions that are over. The password isn't stored here: Cognito alone
 * has a verifier for it.
 */
export const AccountExport = z.object({
  exported_at: Timestamp,
  account: z.object({
    id: z.string(),
    email: z.nullable(z.string()),
    email_verified: z.boolean(),
    name: z.nullable(z.string()),
    created_at: z.nullable(Timestamp),
    /** The linked identity providers. */
    providers: z.array(z.enum(providerKeys)),
    /** The providers' accounts that were disconnected. */
    providers_taken_off: z.array(Identity),
    has_password: z.boolean(),
  }),
  /** The change of address that waits; null if there is none. */
  address_change: z.nullable(WaitingChange),
  /** The row of UserPlans; null if there is none yet. */
  plan: z.nullable(
    z.omit(UserPlan, {
      version: true,
      expiry_shard: true,
      idle_shard: true,
      closing_until: true,
      billing_notice_lease: true,
      billing_maybe_notified: true,
      ended_sessions: true,
    }),
  ),
  /** The plan and its next payment as pages show them; null without a row. */
  standing: z.nullable(Standing),
  subscriptions: z.array(ExportedSubscription),
  /** Newest first. */
  invoices: z.array(Invoice),
  /** The apps that the user is signed in to by a code, each with its address. */
  apps: z.array(z.object({ address: z.string(), signed_in_at: Timestamp, used_at: Timestamp })),
  /** The browsers that the user has signed in with in the last year. */
  browsers: z.array(z.object({ kind: z.string(), signed_in_at: Timestamp, used_at: Timestamp })),
  /** The waitlist entry of the user's verified address. */
  waitlist: z.nullable(WaitlistEntry),
});
export type AccountExport = z.infer<typeof AccountExport>;
