import type Stripe from 'stripe';
import { parametersExclusive } from '../errors.ts';
import { flag, list, type Range, text } from '../fields.ts';
import type { Ledger, RecordedEvent } from '../ledger.ts';
import { pageOfNewest, pagination } from '../list.ts';
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
      const isListed = ({ event, delivery }: RecordedEvent): boolean =>
        patterns.some((pattern) => matches(pattern, event.type)) &&
        (input.delivery_success === undefined || (delivery.state === 'delivered') === input.delivery_success);
      return pageOfNewest(
        {
          newestFirst: (after) => listedEvents(ledger, isListed, input.created, after),
          has: (id) => ledger.events.get(id) !== undefined,
        },
        input,
        '/v1/events',
      );
    },
  ),
];

/** Newest first. Reads no older event than `created` asks for, since an account can have many. */
function* listedEvents(
  ledger: Ledger,
  isListed: (recorded: RecordedEvent) => boolean,
  { gte = 0, gt = 0 }: Range = {},
  after?: string,
): Generator<Stripe.EventBase> {
  const oldest = Math.max(ledger.now() - LISTED_FOR, gte, gt);
  for (const recorded of ledger.events.newestFirst(after)) {
    if (recorded.event.created < oldest) return;
    if (isListed(recorded)) yield eventAnswer(recorded);
  }
}

/** `customer.*` matches every type that starts with `customer.`. */
const matches = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;

const eventAnswer = ({ event, delivery }: RecordedEvent): Stripe.EventBase => ({
  ...event,
  pending_webhooks: delivery.state === 'pending' ? 1 : 0,
});
