import type Stripe from 'stripe';
import { invalid } from '../errors.ts';
import { flag, list, metadata, nullable, required, text, updatedMetadata, url } from '../fields.ts';
import { newId, randomLetters } from '../ids.ts';
import { API_VERSION, type Ledger } from '../ledger.ts';
import { page, pagination } from '../list.ts';
import { inPath, route, type Route } from '../route.ts';

/** Endpoints of the API are only stored. Events go to the endpoint that the world was started with. */
export const webhookEndpointRoutes: Route[] = [
  route(
    'POST',
    '/v1/webhook_endpoints',
    {
      api_version: text,
      description: nullable(text),
      enabled_events: required(list(text)),
      metadata,
      url: required(url),
    },
    ({ ledger, input }) => {
      if (input.api_version !== undefined && input.api_version !== API_VERSION) {
        throw invalid(`Invalid API version: ${input.api_version}.`, 'api_version');
      }
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
      // "Only returned at creation" (API reference).
      return { ...endpoint, secret: `whsec_${randomLetters(32)}` } satisfies Stripe.WebhookEndpoint;
    },
  ),

  route('GET', '/v1/webhook_endpoints', pagination, ({ ledger, input }) =>
    page(ledger.webhookEndpoints.list(), input, '/v1/webhook_endpoints'),
  ),

  route(
    'POST',
    '/v1/webhook_endpoints/:id',
    { description: nullable(text), disabled: flag, enabled_events: list(text), metadata, url },
    ({ ledger, id, input }) => {
      const before = endpointInPath(ledger, id);
      const { disabled, metadata: change, ...rest } = input;
      const endpoint = {
        ...before,
        ...rest,
        ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
        metadata: updatedMetadata(before.metadata, change),
      } satisfies Stripe.WebhookEndpoint;
      ledger.webhookEndpoints.put(id, endpoint);
      return endpoint;
    },
  ),

  route('DELETE', '/v1/webhook_endpoints/:id', {}, ({ ledger, id }) => {
    endpointInPath(ledger, id);
    ledger.webhookEndpoints.delete(id);
    return { id, object: 'webhook_endpoint', deleted: true } satisfies Stripe.DeletedWebhookEndpoint;
  }),
];

const endpointInPath = (ledger: Ledger, id: string): Stripe.WebhookEndpoint =>
  inPath(ledger.webhookEndpoints, id, 'webhook endpoint');
