import type Stripe from 'stripe';
import { parametersExclusive } from '../errors.ts';
import { flag, list, text } from '../fields.ts';
import type { RecordedEvent } from '../ledger.ts';
import { page, pagination } from '../list.ts';
import { route, type Route } from '../route.ts';

// "List events, going back up to 30 days": Stripe's reference.
const LISTED_FOR = 30 * 86_400;

export const eventRoutes: Route[] = [
  route(
    'GET',
    '/v1/events',
    { ...pagination, delivery_success: flag, type: text, types: list(text) },
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
];

/** `customer.*` matches every type that starts with `customer.`. */
const matches = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;

const eventAnswer = ({ event, delivery }: RecordedEvent): Stripe.EventBase => ({
  ...event,
  pending_webhooks: delivery.state === 'pending' ? 1 : 0,
});
