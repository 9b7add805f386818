import type Stripe from 'stripe';
import { missing, parametersExclusive } from '../errors.ts';
import { updatedMetadata, flag, list, metadata, required, text, url } from '../fields.ts';
import { newId } from '../ids.ts';
import type { RecordedEvent } from '../ledger.ts';
import { page, pagination, paginationByTime } from '../list.ts';
import { route, type Route } from '../route.ts';

// "List events, going back up to 30 days": Stripe's reference.
const LISTED_FOR = 30 * 86_400;

export const eventRoutes: Route[] = [
  route(
    'GET',
    '/v1/events',
    { ...paginationByTime, delivery_success: flag, type: text, types: list(text) },
    ({ ledger, input }) => {
      if (input.type !== undefined && input.types) throw parametersExclusive('type', 'types');
      const patterns = input.types ?? (input.type === undefined ? ['*'] : [input.type]);
      const oldest = ledger.now() - LISTED_FOR;
      return page(
        ledger.events
          .list()
          .filter(({ event }) => event.created >= oldest)
          .filter(({ event }) => patterns.some((pattern) => matches(pattern, event.type)))
          .filter(
            ({ delivery }) =>
              input.delivery_success === undefined ||
              (delivery.state === 'delivered') === input.delivery_success,
          )
          .map(eventAnswer),
        input,
        '/v1/events',
      );
    },
  ),

  route('GET', '/v1/events/:id', {}, ({ ledger, id }) => {
    const recorded = ledger.events.get(id);
    if (!recorded) throw missing('event', id);
    return eventAnswer(recorded);
  }),

  // Endpoints are written down and listed; events go to the one that the local world is started with.
  route(
    'POST',
    '/v1/webhook_endpoints',
    {
      api_version: text,
      description: text,
      enabled_events: required(list(text)),
      metadata,
      url: required(url),
    },
    ({ ledger, input }) => {
      const endpoint = {
        id: newId('we'),
        object: 'webhook_endpoint',
        api_version: input.api_version ?? null,
        application: null,
        created: ledger.now(),
        description: input.description ?? null,
        enabled_events: input.enabled_events,
        livemode: false,
        metadata: updatedMetadata({}, input.metadata),
        status: 'enabled',
        url: input.url,
      } satisfies Stripe.WebhookEndpoint;
      ledger.webhookEndpoints.put(endpoint.id, endpoint);
      // Shown this once.
      return { ...endpoint, secret: newId('whsec', 32) } satisfies Stripe.WebhookEndpoint;
    },
  ),

  route('GET', '/v1/webhook_endpoints', pagination, ({ ledger, input }) =>
    page(ledger.webhookEndpoints.list(), input, '/v1/webhook_endpoints'),
  ),
];

/** `customer.*` matches every type that starts with `customer.`. */
const matches = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;

const eventAnswer = ({ event, delivery }: RecordedEvent): Stripe.EventBase => ({
  ...event,
  pending_webhooks: delivery.state === 'pending' ? 1 : 0,
});
