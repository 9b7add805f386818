import { Stripe } from 'stripe';
import { type Check, error, type Finding } from '../check.ts';
import { storedStripe } from '../stripe-client.ts';
import { settingFindings } from '../stripe-settings.ts';
import { taxFindings } from '../tax-findings.ts';
import type { Target } from '../target.ts';

/** Whether Stripe accepts the key. A deployment corrects what differs there from the settings. */
export const stripe = (target: Target): Check => ({
  name: 'Stripe',
  needsCredentials: true,
  async run() {
    const { stageName } = target;
    const { stripe: client } = await storedStripe(target);
    try {
      await readForSetUp(client);
      return [...(await settingFindings(client)), ...(await taxFindingsOf(target, client))];
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
  await client.paymentMethodDomains.list({ limit: 1 });
  await client.webhookEndpoints.list({ limit: 1 });
}

async function taxFindingsOf({ stage, stageName }: Target, client: Stripe): Promise<Finding[]> {
  if (stage.tax !== 'automatic') return [];
  const [settings, registrations] = await Promise.all([
    client.tax.settings.retrieve(),
    client.tax.registrations.list({ status: 'active', limit: 1 }),
  ]);
  return taxFindings(stageName, settings, registrations.data);
}
