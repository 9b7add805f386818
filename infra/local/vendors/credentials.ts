/** The keys that Stripe's stand-in accepts. Stripe's test mode has its own. */
export const STRIPE_KEYS = { secretKey: 'sk_test_local', publishableKey: 'pk_test_local' };

/** The secret that webhook events are signed with. */
export const WEBHOOK_SECRET = 'whsec_local';
