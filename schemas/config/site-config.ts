import * as z from 'zod/mini';
import { providerKeys } from '../product/providers.ts';

/** The site's `/config.json`: facts about the stack that the browser needs. */
export const SiteConfig = z.object({
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  userPoolEndpoint: z.url(),
  /** Origin of the pool's hosted domain, where sign-ins with providers begin. */
  signInOrigin: z.url(),
  /** The providers that users can sign in with here, in the order of their buttons. */
  providers: z.array(z.enum(providerKeys)),
  relayClientId: z.string(),
  /** The addresses of apps that users may sign in to. `relay-address.ts` compares them. */
  relayAddresses: z.array(z.string()),
  /** Those that also get tokens in their query, if no code is asked for. Absent in the version before. */
  legacyAddresses: z._default(z.array(z.string()), []),
  stripePublishableKey: z.string(),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
