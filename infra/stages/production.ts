import { product } from '../../schemas/product/product.ts';
import { defaultProviders } from '../../schemas/product/providers.ts';
import { appAddresses } from './app-addresses.ts';
import type { Stage } from './stage.ts';

/** Production. `stage.ts` says what each setting is for. */
export const production = {
  // Replace these. A deployment with a placeholder left is refused.
  stripePublishableKey: 'pk_live_put_yours_here',
  alarmEmail: 'put_yours_here@selfsame.example',

  // Check these: the prefix must be free, and a provider left out needs no keys.
  signInPrefix: `${product.slug}-production`,
  providers: defaultProviders,
  mailbox: `no-reply@${product.mailDomain}`,
  region: 'us-east-1',

  // Add these, so that urgent alarms reach a pager, and all alarms link to the runbook:
  // alarmPageUrl: 'https://…',
  // runbookUrl: 'https://github.com/…/blob/main/.github/runbook.md',

  // Change this when the preflight says so.
  sendsThroughSes: false,

  // Add `domain`, with the ARN of its certificate: step 3 of .github/deploying.md.

  // Add `legacy: true` to the address of an app in use that asks for no code.
  relayAddresses: appAddresses,
  featurePlan: 'LITE',
  keepsData: true,
  // A hundred thousand monthly users make some ten requests a second at peak. The rest is for scripts, most
  // of whose requests the authorizer refuses: at the firewall's limit for an address, 75 would fill a route.
  throttle: { rate: 500, burst: 1_000 },
  logDays: 90,
  monthlyBudget: 100,
  canary: true,
  firewall: true,
  signInFirewall: true,
} as const satisfies Stage & { stripePublishableKey: `pk_live_${string}` };
