import type { Stripe } from 'stripe';
import { handledEventTypes } from '../../../functions/domain/handled-event-types.ts';
import type { StageName } from '../../stages/stages.ts';
import { isOurs } from '../../../functions/domain/mark.ts';

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent;

/** The event types that the functions handle, sorted. */
export const enabledEvents = [...handledEventTypes].toSorted() as EventType[];

/** Our endpoints at Stripe: those created for the stage, and those created by hand. */
export async function endpointsOf(
  stripe: Stripe,
  stageName: StageName,
  url: string | undefined,
): Promise<Stripe.WebhookEndpoint[]> {
  const endpoints = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  return endpoints.filter(({ metadata, url: to }) => isOurs(metadata, stageName) || to === url);
}

/** The differences between an endpoint and the settings, in words. Empty if there are none. */
export function differencesOf(endpoint: Stripe.WebhookEndpoint, url: string, apiVersion: string): string[] {
  const events = endpoint.enabled_events.toSorted().join();
  return [
    ...(endpoint.status === 'enabled' ? [] : ['it is disabled']),
    ...(endpoint.url === url ? [] : [`it sends to ${endpoint.url}`]),
    ...(events === enabledEvents.join() ? [] : ['its list of events is another']),
    ...(endpoint.api_version === apiVersion ? [] : [`its API version is ${endpoint.api_version}`]),
  ];
}
