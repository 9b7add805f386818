import type { UserPlan } from '../../../schemas/rows/plan.ts';

/** The attributes of a row that are about its user. */
export const personal = [
  'plan_expires_at',
  'expiry_shard',
  'stripe_subscription_id',
  'stripe_customer_id',
  'billing_customer_id',
  'checkout_session_id',
  'created_at',
  'updated_at',
  'last_sign_in_at',
  'address',
  'made_by',
  'accepted_terms',
  'accepted_privacy',
  'idle_returned_mail',
  'mail_bounced_at',
  'password_mail_at',
  'cancel_mail_at',
  'billing_notified',
  'billing_notice_lease',
  'billing_maybe_notified',
] as const satisfies (keyof UserPlan)[];
