import type { Stripe } from 'stripe';
import { product } from '../../schemas/product.ts';
import { handledEventTypes } from '../../functions/domain/handled-event-types.ts';
import type { StageName } from '../stages.ts';

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent;

/** The event types that the functions handle, sorted. */
export const enabledEvents = [...handledEventTypes].toSorted() as EventType[];

/** The key in an endpoint's metadata that says whose it is. */
const OWNER = 'stage';
export const ownerOf = (stageName: StageName): string => `${product.slug}-${stageName}`;

/** Our endpoints in Stripe: those that were made for the stage, and those that were made by hand. */
export async function endpointsOf(
  stripe: Stripe,
  stageName: StageName,
  url: string | undefined,
): Promise<Stripe.WebhookEndpoint[]> {
  const endpoints = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  return endpoints.filter(({ metadata, url: to }) => metadata[OWNER] === ownerOf(stageName) || to === url);
}

/** What differs from an endpoint as it should be, in words; empty if nothing does. */
export function differencesOf(endpoint: Stripe.WebhookEndpoint, url: string, apiVersion: string): string[] {
  const events = endpoint.enabled_events.toSorted().join();
  return [
    ...(endpoint.status === 'enabled' ? [] : ['it is disabled']),
    ...(endpoint.url === url ? [] : [`it sends to ${endpoint.url}`]),
    ...(events === enabledEvents.join() ? [] : ['its list of events is another']),
    ...(endpoint.api_version === apiVersion ? [] : [`its API version is ${endpoint.api_version}`]),
  ];
}

export const endpointMetadata = (stageName: StageName): Record<string, string> => ({
  [OWNER]: ownerOf(stageName),
});
