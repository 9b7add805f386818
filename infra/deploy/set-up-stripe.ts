import { Stripe } from 'stripe';
import { cardPortalConfiguration } from '../../functions/adapters/stripe/card-portal.ts';
import { priceOfPlus } from '../../functions/adapters/stripe/checkout-sessions.ts';
import { secretNames } from '../secret-names.ts';
import { readSecret, writeSecret } from './secret-store.ts';
import { stripeWith } from './stripe-client.ts';
import type { Target } from './target.ts';
import { differencesOf, enabledEvents, endpointMetadata, endpointsOf } from './webhook-endpoint.ts';

/**
 * Brings Stripe to what the stage needs: the price and its product, the page for new cards, and the webhook
 * endpoint, whose secret goes into Secrets Manager without being shown. Safe to repeat, also after a crash.
 */
export async function setUpStripe(
  target: Target,
  webhookUrl: string,
  say: (line: string) => void,
): Promise<void> {
  const name = secretNames(target.stageName).stripe;
  const stored = await readSecret(target.secrets, name);
  if (stored === undefined || stored === 'deleted') throw new Error(`There is no secret ${name}.`);
  const stripe = stripeWith(String(stored.value['secretKey']));
  say(`Stripe: price ${await priceOfPlus(stripe)}, card page ${await cardPortalConfiguration(stripe)}`);
  const endpoints = await endpointsOf(stripe, target.stageName, webhookUrl);
  const known = endpoints.find(({ id }) => id === stored.value['webhookEndpoint']);
  const version = Stripe.API_VERSION;
  // Stripe shows an endpoint's secret once, and its version can't be changed.
  const kept = known?.api_version === version && stored.value['webhookSecret'] ? known : undefined;
  if (kept) {
    await update(stripe, kept, webhookUrl, say);
  } else {
    await create(target, { stripe, name, stored: stored.value, webhookUrl });
    say(`Stripe: made the webhook endpoint for ${webhookUrl} and stored its secret in ${name}`);
  }
  for (const { id } of endpoints) {
    if (id === kept?.id) continue;
    await stripe.webhookEndpoints.del(id);
    say(`Stripe: removed the webhook endpoint ${id}, which another one replaces`);
  }
}

async function update(
  stripe: Stripe,
  endpoint: Stripe.WebhookEndpoint,
  url: string,
  say: (line: string) => void,
): Promise<void> {
  const differences = differencesOf(endpoint, url, Stripe.API_VERSION);
  if (differences.length === 0) {
    say(`Stripe: the webhook endpoint ${endpoint.id} is as it should be`);
    return;
  }
  await stripe.webhookEndpoints.update(endpoint.id, { url, enabled_events: enabledEvents, disabled: false });
  say(`Stripe: changed the webhook endpoint ${endpoint.id}, since ${differences.join(', ')}`);
}

/**
 * Makes a new endpoint. The earlier secret stays beside the new one: events that Stripe signed with it may
 * still be on their way. `stripe-secret.ts` takes two.
 */
async function create(
  { secrets, stageName }: Target,
  {
    stripe,
    name,
    stored,
    webhookUrl,
  }: { stripe: Stripe; name: string; stored: Record<string, unknown>; webhookUrl: string },
): Promise<void> {
  const made = await stripe.webhookEndpoints.create({
    url: webhookUrl,
    enabled_events: enabledEvents,
    api_version: Stripe.API_VERSION,
    metadata: endpointMetadata(stageName),
  });
  const [earlier] = [stored['webhookSecret']].flat();
  await writeSecret(secrets, name, {
    ...stored,
    webhookSecret: earlier === undefined ? made.secret : [made.secret, earlier],
    webhookEndpoint: made.id,
  });
}
