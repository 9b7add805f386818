import type Stripe from 'stripe';
import { invalid, parametersExclusive } from '../errors.ts';
import { list, type Range, text } from '../fields.ts';
import type { Ledger, RecordedEvent } from '../ledger.ts';
import { eventPagination, pageOfNewest } from '../list.ts';
import { route, type Route } from '../route.ts';

// "List events, going back up to 30 days": Stripe's reference.
const LISTED_FOR = 30 * 86_400;

// "An array of up to 20 strings containing specific event names": Stripe's reference.
const MOST_TYPES = 20;

export const eventRoutes: Route[] = [
  route('GET', '/v1/events', { ...eventPagination, type: text, types: list(text) }, ({ ledger, input }) => {
    if (input.type !== undefined && input.types) throw parametersExclusive('type', 'types');
    if (input.types) checkTypes(input.types);
    const patterns = input.types ?? (input.type === undefined ? ['*'] : [input.type]);
    const isListed = ({ event }: RecordedEvent): boolean =>
      patterns.some((pattern) => matches(pattern, event.type));
    return pageOfNewest(
      {
        before: (after) => listedEvents(ledger, isListed, { ...input.created, after }),
        after: (until) => listedEvents(ledger, isListed, { ...input.created, until }),
        has: (id) => isRecent(ledger, id),
      },
      input,
      '/v1/events',
    );
  }),
];

/** The documentation allows wildcards in `type` alone. In `types` they are refused here. */
function checkTypes(types: string[]): void {
  if (types.length > MOST_TYPES) {
    throw invalid(`Invalid array: must contain at most ${MOST_TYPES} elements`, 'types');
  }
  const wildcard = types.findIndex((type) => type.includes('*'));
  if (wildcard !== -1) throw invalid('Use `type` for a group of events.', `types[${wildcard}]`);
}

const isRecent = (ledger: Ledger, id: string): boolean =>
  (ledger.events.get(id)?.event.created ?? 0) >= ledger.now() - LISTED_FOR;

/**
 * Newest first, beginning before the event `after` and ending before the event `until`. Reads no older event
 * than `gte` or `gt` ask for, since an account can have many.
 */
function* listedEvents(
  ledger: Ledger,
  isListed: (recorded: RecordedEvent) => boolean,
  { gte = 0, gt = 0, after, until }: Range & { after?: string | undefined; until?: string },
): Generator<Stripe.EventBase> {
  const oldest = Math.max(ledger.now() - LISTED_FOR, gte, gt);
  for (const recorded of ledger.events.newestFirst(after)) {
    if (recorded.event.id === until || recorded.event.created < oldest) return;
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
