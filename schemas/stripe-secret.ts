import * as z from 'zod/mini';

// With an empty secret, Stripe's library would refuse every signature as forged.
const WebhookSecret = z.string().check(z.regex(/^\S+$/));

/** Value of the Stripe secret, in JSON. */
export const StripeSecret = z.object({
  secretKey: z.string(),
  /** What Stripe signs webhooks with; while it is rotated, the old and the new secret. */
  webhookSecret: z.union([WebhookSecret, z.array(WebhookSecret).check(z.minLength(1), z.maxLength(2))]),
});
export type StripeSecret = z.infer<typeof StripeSecret>;
