import * as z from 'zod/mini';

/** `/config.json` of the site: what the browser has to know about the stack. */
export const SiteConfig = z.object({
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  /** Origin of the Cognito user pool API. */
  userPoolEndpoint: z.url(),
  /** Origin of the pool's hosted domain, where sign-ins with providers begin. */
  signInOrigin: z.url(),
  /** The user pool client of the relay. */
  relayClientId: z.string(),
  /** Where the relay may send tokens. `relay-address.ts` compares them. */
  relayAddresses: z.array(z.string()),
  stripePublishableKey: z.string(),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
