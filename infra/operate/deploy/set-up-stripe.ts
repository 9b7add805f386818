import { Stripe } from 'stripe';
import { PORTAL, portalConfiguration } from '../../../functions/adapters/stripe/portal.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { writeSecret } from './secret-store.ts';
import { storedStripe } from './stripe-client.ts';
import type { Target } from './target.ts';
import { differencesOf, enabledEvents, endpointsOf, isTriedAgain, markReplaced } from './webhook-endpoint.ts';

/**
 * Sets up at Stripe what the stage needs beside its prices: the customer portal, the webhook endpoint, whose
 * secret goes into Secrets Manager without being shown, and the site's domain for wallets. Safe to repeat,
 * even after a crash.
 */
export async function setUpStripe(
  target: Target,
  webhookUrl: string,
  say: (line: string) => void,
): Promise<void> {
  const account = await storedStripe(target);
  const { name, stored, stripe } = account;
  const portal = await portalConfiguration(stripe, target.stageName);
  await stripe.billingPortal.configurations.update(portal, PORTAL);
  say(`Stripe: customer portal ${portal}`);
  const endpoints = await endpointsOf(stripe, target.stageName, webhookUrl);
  const known = endpoints.find(({ id }) => id === stored['webhookEndpoint']);
  const version = Stripe.API_VERSION;
  // Stripe shows an endpoint's secret only once, and its API version can't be changed.
  const secret = stored['webhookSecret'];
  const kept = known?.api_version === version && secret ? known : undefined;
  if (!kept && known && secret) await markReplaced(stripe, known);
  if (kept) {
    await update(stripe, kept, webhookUrl, say);
  } else {
    await create(target, account, webhookUrl);
    say(`Stripe: created the webhook endpoint for ${webhookUrl} and stored its secret in ${name}`);
  }
  for (const endpoint of endpoints) {
    const { id } = endpoint;
    if (id === kept?.id) continue;
    if (kept ? isTriedAgain(endpoint) : secret && id === known?.id) {
      say(`Stripe: kept the webhook endpoint ${id} too, since Stripe tries its events again for three days`);
      continue;
    }
    await stripe.webhookEndpoints.del(id);
    say(`Stripe: removed the webhook endpoint ${id}, which the new endpoint replaces`);
  }
  // Last, since cards are paid with even where wallets don't show.
  await registerDomain(stripe, new URL(webhookUrl).hostname, say);
}

/** Registers the site's domain, without which its checkout shows no Apple Pay, Google Pay and Link. */
async function registerDomain(stripe: Stripe, name: string, say: (line: string) => void): Promise<void> {
  const { data } = await stripe.paymentMethodDomains.list({ domain_name: name, limit: 1 });
  const known = data[0] ?? (await stripe.paymentMethodDomains.create({ domain_name: name }));
  const enabled = known.enabled
    ? known
    : await stripe.paymentMethodDomains.update(known.id, { enabled: true });
  // Stripe looks at a domain as it is registered, when its DNS record may not exist yet.
  const domain =
    walletProblemsOf(enabled).length === 0 ? enabled : await stripe.paymentMethodDomains.validate(enabled.id);
  const problems = walletProblemsOf(domain);
  say(`Stripe: ${name} is registered for wallets${problems.map((problem) => `; ${problem}`).join('')}`);
}

/** The reasons why a wallet doesn't show on a registered domain. Empty if all of them show. */
function walletProblemsOf(domain: Stripe.PaymentMethodDomain): string[] {
  if (!domain.enabled) return ['its registration is switched off'];
  const wallets = { 'Apple Pay': domain.apple_pay, 'Google Pay': domain.google_pay, Link: domain.link };
  return Object.entries(wallets).flatMap(([name, { status, status_details: details }]) =>
    status === 'active'
      ? []
      : [`${name} is ${status}${details ? `, since Stripe says "${details.error_message}"` : ''}`],
  );
}

async function update(
  stripe: Stripe,
  endpoint: Stripe.WebhookEndpoint,
  url: string,
  say: (line: string) => void,
): Promise<void> {
  const differences = differencesOf(endpoint, url, Stripe.API_VERSION);
  if (differences.length === 0) {
    say(`Stripe: the webhook endpoint ${endpoint.id} is up to date`);
    return;
  }
  await stripe.webhookEndpoints.update(endpoint.id, { url, enabled_events: enabledEvents, disabled: false });
  say(`Stripe: changed the webhook endpoint ${endpoint.id}, since ${differences.join(', ')}`);
}

/**
 * Creates a new endpoint. The secret of the endpoint before it stays next to the new one, for its events.
 * `stripe-secret.ts` accepts two secrets.
 */
async function create(
  { secrets, stageName }: Target,
  { stripe, name, stored }: Awaited<ReturnType<typeof storedStripe>>,
  webhookUrl: string,
): Promise<void> {
  const made = await stripe.webhookEndpoints.create({
    url: webhookUrl,
    enabled_events: enabledEvents,
    api_version: Stripe.API_VERSION,
    metadata: markOf(stageName),
  });
  const [earlier] = [stored['webhookSecret']].flat();
  await writeSecret(secrets, name, {
    ...stored,
    webhookSecret: earlier === undefined ? made.secret : [made.secret, earlier],
    webhookEndpoint: made.id,
  });
}
