import { Stripe } from 'stripe';
import { secretNames } from '../../../stages/secret-names.ts';
import { type Check, error, type Finding, warning } from '../check.ts';
import { readSecret } from '../secret-store.ts';
import { describeStack, outputsOf } from '../stack-state.ts';
import { stripeWith } from '../stripe-client.ts';
import type { Target } from '../target.ts';
import { differencesOf, endpointsOf } from '../webhook-endpoint.ts';

/** Whether Stripe accepts the key, and what a deployment will change at Stripe. */
export const stripe = (target: Target): Check => ({
  name: 'Stripe',
  needsCredentials: true,
  async run() {
    const { secrets, stageName } = target;
    const stored = await readSecret(secrets, secretNames(stageName).stripe);
    const key = stored === undefined || stored === 'deleted' ? undefined : stored.value['secretKey'];
    if (typeof key !== 'string') {
      return [
        error('Stripe could not be checked without its secret key.', `npm run ops -- secrets ${stageName}`),
      ];
    }
    const client = stripeWith(key);
    try {
      await readForSetUp(client);
      return await webhookFindings(target, client);
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeAuthenticationError) {
        return [
          error(
            'Stripe refuses the secret key: it is unknown, expired or deleted.',
            `npm run ops -- secrets ${stageName}`,
          ),
        ];
      }
      if (thrown instanceof Stripe.errors.StripePermissionError) {
        return [
          error(
            `Stripe's restricted key lacks a permission: ${thrown.message}`,
            'Give it what .github/deploying.md lists, in Stripe under Developers, API keys.',
          ),
        ];
      }
      throw thrown;
    }
  },
});

/**
 * Throws if the key lacks a right that a deployment needs first. Rights to write can't be tested without
 * writing.
 */
async function readForSetUp(client: Stripe): Promise<void> {
  await client.prices.list({ limit: 1 });
  await client.billingPortal.configurations.list({ limit: 1 });
}

async function webhookFindings(target: Target, client: Stripe): Promise<Finding[]> {
  const { WebhookUrl: url } = await outputsOf(target);
  const endpoints = await endpointsOf(client, target.stageName, url);
  const fix = `npm run deploy:${target.stageName}   # fixes it at the end`;
  // Nobody knows the address before the first deployment.
  if (url === undefined || !(await describeStack(target))) return [];
  const [endpoint] = endpoints;
  if (!endpoint) return [warning(`Stripe has no webhook endpoint for ${url}.`, fix)];
  return differencesOf(endpoint, url, Stripe.API_VERSION).map((difference) =>
    warning(`The webhook endpoint ${endpoint.id} differs from the settings: ${difference}.`, fix),
  );
}
