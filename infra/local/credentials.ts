import type { ProviderClient } from './vendors/identity-providers/identity-providers.ts';
import type { StandInKey } from './vendors/identity-providers/providers.ts';

/** The keys that Stripe's stand-in accepts. Stripe's test mode has its own. */
export const STRIPE_KEYS = { secretKey: 'sk_test_local', publishableKey: 'pk_test_local' };

/** The secret that webhook events are signed with. */
export const WEBHOOK_SECRET = 'whsec_local';

/** The product's OAuth client at each identity provider. */
export const PROVIDER_CLIENTS = {
  google: { clientId: 'local.apps.googleusercontent.com', clientSecret: 'local-google' },
  github: { clientId: 'local', clientSecret: 'local-github' },
} satisfies Record<StandInKey, ProviderClient>;
