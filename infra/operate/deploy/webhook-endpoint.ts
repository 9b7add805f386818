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
  url: string,
): Promise<Stripe.WebhookEndpoint[]> {
  const endpoints = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  return endpoints.filter(({ metadata, url: to }) => isOurs(metadata, stageName) || to === url);
}

/**
 * Marks an endpoint that another one replaces. It stays until Stripe has given up its last event: "If your
 * endpoint has been disabled or deleted when Stripe attempts a retry, future retries of that event are
 * prevented" (https://docs.stripe.com/webhooks). Meanwhile both get every event.
 */
export const markReplaced = (stripe: Stripe, { id }: Stripe.WebhookEndpoint) =>
  stripe.webhookEndpoints.update(id, { metadata: { replaced: Math.floor(Date.now() / 1000) } });

/** Whether Stripe may still try an event of a replaced endpoint again, for "up to three days". */
export const isTriedAgain = ({ metadata }: Stripe.WebhookEndpoint): boolean =>
  Number(metadata['replaced'] ?? 0) > Date.now() / 1000 - 3 * 86_400;

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
