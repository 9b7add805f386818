import * as z from 'zod/mini';
import { Invoice } from './invoice.ts';
import { Timestamp, UserPlan } from './plan.ts';
import { WaitlistEntry } from './waitlist.ts';

// "PasswordType" in Cognito's reference has 256 characters at most.
const Password = z.string().check(z.minLength(1), z.maxLength(256));

export const ChangePasswordRequest = z.strictObject({ currentPassword: Password, newPassword: Password });
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

export const ChangePasswordResponse = z.object({
  success: z.literal(true),
  /** Whether all sessions of before were ended, the caller's too. The password is changed either way. */
  sessionsEnded: z.boolean(),
});
export type ChangePasswordResponse = z.infer<typeof ChangePasswordResponse>;

export const DeleteAccountResponse = z.object({
  /** Whether a subscription that was still running was ended by this call. */
  subscriptionEnded: z.boolean(),
  /** Whether the mail that says so went out. The account is gone either way. */
  mailSent: z.boolean(),
});
export type DeleteAccountResponse = z.infer<typeof DeleteAccountResponse>;

/** A Stripe subscription as its owner takes it along. */
const ExportedSubscription = z.object({
  id: z.string(),
  /** Stripe's word. */
  status: z.string(),
  current_period_end: Timestamp,
  /** Null while it renews by itself. */
  ends_at: z.nullable(Timestamp),
});

/**
 * Everything we hold of one person. Of the row what only the machine counts by is left out: `version` counts writes,
 * `expiry_shard` is a hash of the id, `closing_until` is a lock of two minutes. No password is here, because nobody
 * but Cognito holds one, and it only as a verifier.
 */
export const AccountExport = z.object({
  exported_at: Timestamp,
  account: z.object({
    id: z.string(),
    email: z.nullable(z.string()),
    email_verified: z.boolean(),
    name: z.nullable(z.string()),
    created_at: z.nullable(Timestamp),
    /** Whom they sign in with beside, or instead of, a password: Google, GitHub. */
    providers: z.array(z.string()),
    has_password: z.boolean(),
  }),
  /** The row of UserPlans; null where there is none yet. */
  plan: z.nullable(z.omit(UserPlan, { version: true, expiry_shard: true, closing_until: true })),
  subscriptions: z.array(ExportedSubscription),
  /** Newest first. */
  invoices: z.array(Invoice),
  /** The place on the waitlist under their verified address. */
  waitlist: z.nullable(WaitlistEntry),
});
export type AccountExport = z.infer<typeof AccountExport>;
