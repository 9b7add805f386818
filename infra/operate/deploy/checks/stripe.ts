import { Stripe } from 'stripe';
import { secretNames } from '../../../stages/secret-names.ts';
import { type Check, error, type Finding, warning } from '../check.ts';
import { domainAt, walletProblemsOf } from '../payment-domain.ts';
import { readSecret } from '../secret-store.ts';
import { describeStack, outputsOf } from '../stack-state.ts';
import { stripeWith } from '../stripe-client.ts';
import { taxFindings } from '../tax-findings.ts';
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
      return [...(await taxFindingsOf(target, client)), ...(await setUpFindings(target, client))];
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
}

async function taxFindingsOf({ stage, stageName }: Target, client: Stripe): Promise<Finding[]> {
  if (stage.tax !== 'automatic') return [];
  const [settings, registrations] = await Promise.all([
    client.tax.settings.retrieve(),
    client.tax.registrations.list({ status: 'active', limit: 1 }),
  ]);
  return taxFindings(stageName, settings, registrations.data);
}

/** The differences between Stripe and the settings, each of which a deployment fixes at its end. */
async function setUpFindings(target: Target, client: Stripe): Promise<Finding[]> {
  const { WebhookUrl: url } = await outputsOf(target);
  const endpoints = await endpointsOf(client, target.stageName, url);
  // Nobody knows the address before the first deployment.
  if (url === undefined || !(await describeStack(target))) return [];
  const says = [...webhookProblems(endpoints, url), ...(await domainProblems(client, new URL(url).hostname))];
  return says.map((problem) =>
    warning(problem, `npm run deploy:${target.stageName}   # fixes it at the end`),
  );
}

function webhookProblems([endpoint]: Stripe.WebhookEndpoint[], url: string): string[] {
  if (!endpoint) return [`Stripe has no webhook endpoint for ${url}.`];
  return differencesOf(endpoint, url, Stripe.API_VERSION).map(
    (difference) => `The webhook endpoint ${endpoint.id} differs from the settings: ${difference}.`,
  );
}

async function domainProblems(client: Stripe, name: string): Promise<string[]> {
  const domain = await domainAt(client, name);
  if (!domain) {
    return [`${name} is not registered at Stripe: the checkout shows no Apple Pay, Google Pay and Link.`];
  }
  return walletProblemsOf(domain).map(
    (problem) => `The checkout on ${name} does not show each wallet: ${problem}.`,
  );
}
