import { Stripe } from 'stripe';
import { secretNames } from '../../secret-names.ts';
import { type Check, error, type Finding, warning } from '../check.ts';
import { readSecret } from '../secret-store.ts';
import { describeStack, outputsOf } from '../stack-state.ts';
import { stripeWith } from '../stripe-client.ts';
import type { Target } from '../target.ts';
import { differencesOf, endpointsOf } from '../webhook-endpoint.ts';

/** Whether Stripe takes the key, and what a deployment will change there. */
export const stripe = (target: Target): Check => ({
  name: 'Stripe',
  needsCredentials: true,
  async run() {
    const { secrets, stageName } = target;
    const stored = await readSecret(secrets, secretNames(stageName).stripe);
    const key = stored === undefined || stored === 'deleted' ? undefined : stored.value['secretKey'];
    if (typeof key !== 'string') {
      return [error('Stripe could not be asked without its secret key.', `npm run secrets -- ${stageName}`)];
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
            `npm run secrets -- ${stageName}`,
          ),
        ];
      }
      if (thrown instanceof Stripe.errors.StripePermissionError) {
        return [
          error(
            `Stripe's restricted key lacks a permission: ${thrown.message}`,
            'Give it what the README lists, in Stripe under Developers, API keys.',
          ),
        ];
      }
      throw thrown;
    }
  },
});

/** Throws if the key lacks what a deployment reads first. Rights to write can't be tried without writing. */
async function readForSetUp(client: Stripe): Promise<void> {
  await client.prices.list({ limit: 1 });
  await client.billingPortal.configurations.list({ limit: 1 });
}

async function webhookFindings(target: Target, client: Stripe): Promise<Finding[]> {
  const { WebhookUrl: url } = await outputsOf(target);
  const endpoints = await endpointsOf(client, target.stageName, url);
  const mend = `npm run deploy:${target.stageName}   # mends it at its end`;
  // Before the first deployment nobody knows the address.
  if (url === undefined || !(await describeStack(target))) return [];
  const [endpoint] = endpoints;
  if (!endpoint) return [warning(`Stripe has no webhook endpoint for ${url}.`, mend)];
  return differencesOf(endpoint, url, Stripe.API_VERSION).map((difference) =>
    warning(`The webhook endpoint ${endpoint.id} is not as it should be: ${difference}.`, mend),
  );
}
