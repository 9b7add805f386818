import { product } from '../../schemas/product/product.ts';
import { defaultProviders } from '../../schemas/product/providers.ts';
import { appAddresses } from './app-addresses.ts';
import type { Stage } from './stage.ts';

/** Staging, for trying a version before users get it. `stage.ts` says what each setting is for. */
export const staging = {
  // Replace these. A deployment with a placeholder left is refused.
  stripePublishableKey: 'pk_test_put_yours_here',
  alarmEmail: 'put_yours_here@selfsame.example',

  // Check these: the prefix must be free, and a provider left out needs no keys.
  signInPrefix: `${product.slug}-staging`,
  providers: defaultProviders,
  mailbox: `no-reply@staging.${product.mailDomain}`,
  region: 'us-east-1',

  // Add these, so that urgent alarms reach a pager, and all alarms link to the runbook:
  // alarmPageUrl: 'https://…',
  // runbookUrl: 'https://github.com/…/blob/main/.github/runbook.md',

  // Change this when the preflight says so.
  sendsThroughSes: false,

  // Add `domain`, with the ARN of its certificate: step 3 of .github/deploying.md.

  relayAddresses: appAddresses.map((app) => ({ ...app, legacy: true })),
  featurePlan: 'LITE',
  keepsData: false,
  throttle: { rate: 50, burst: 100 },
  logDays: 7,
  monthlyBudget: 50,
  // These show that a release doesn't work, or that a vendor or AWS shuts the stage out.
  alarms: ['ServerErrors', 'AccountTriggers', 'StripeKeyRefused', 'MailPauseNear'],
} as const satisfies Stage & { stripePublishableKey: `pk_test_${string}` };
