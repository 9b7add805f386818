import * as z from 'zod/mini';

// With an empty secret, Stripe's library would refuse every signature as forged.
const WebhookSecret = z.string().check(z.regex(/^\S+$/));

/** Value of the Stripe secret, in JSON. */
export const StripeSecret = z.object({
  secretKey: z.string(),
  /** The secret that signs webhooks; during a rotation, the old and the new one. */
  webhookSecret: z.union([WebhookSecret, z.array(WebhookSecret).check(z.minLength(1), z.maxLength(2))]),
});
export type StripeSecret = z.infer<typeof StripeSecret>;
