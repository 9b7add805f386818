import type { Billing } from '../adapters/stripe/stripe-billing.ts';
import {
  mergedSubject,
  type StripeEventSubject,
  stripeEventSubject,
} from '../domain/stripe-event-subject.ts';

/** From `from` until before `to`, in whole Unix seconds. */
interface Period {
  from: number;
  to: number;
}

type Reading =
  | { kind: 'read'; events: number; customers: StripeEventSubject[]; createdAt: number[] }
  | { kind: 'too-many' }
  | { kind: 'out-of-time' };

// Ten pages of Stripe's list: read in seconds, and small in memory.
const MAXIMUM_EVENTS = 1_000;
// Two periods with this few events fit into a slice.
const FEW_EVENTS = MAXIMUM_EVENTS / 4;

/**
 * Reads the events of a period in slices, oldest first, until `isOver`. Stripe lists the newest events first,
 * so a slice is read completely, and halved if it has too many.
 */
export async function* eventSlices(
  billing: Pick<Billing, 'eventsBetween' | 'stage'>,
  { from, to }: Period,
  isOver: () => boolean,
) {
  let length = to - from;
  let start = from;
  while (start < to) {
    const end = Math.min(start + length, to);
    const reading = await readEvents(billing, { from: start, to: end }, isOver);
    if (reading.kind === 'out-of-time') return;
    if (reading.kind === 'too-many') {
      length = Math.floor((end - start) / 2);
      continue;
    }
    yield { from: start, to: end, customers: reading.customers, eventsByHour: byHour(reading.createdAt) };
    start = end;
    if (reading.events <= FEW_EVENTS) length *= 2;
  }
}

async function readEvents(
  billing: Pick<Billing, 'eventsBetween' | 'stage'>,
  { from, to }: Period,
  isOver: () => boolean,
): Promise<Reading> {
  if (isOver()) return { kind: 'out-of-time' };
  const customers = new Map<string, StripeEventSubject>();
  const createdAt: number[] = [];
  let events = 0;
  for await (const event of billing.eventsBetween(from, to)) {
    events += 1;
    // A second can't be halved, so its events are read in one slice.
    if (events > MAXIMUM_EVENTS && to - from > 1) return { kind: 'too-many' };
    if (isOver()) return { kind: 'out-of-time' };
    const subject = stripeEventSubject(event, billing.stage);
    if (!subject) continue;
    createdAt.push(subject.created);
    const newer = customers.get(subject.customerId);
    customers.set(subject.customerId, newer ? mergedSubject(newer, subject) : subject);
  }
  const oldestFirst = [...customers.values()].toSorted((a, b) => a.created - b.created);
  return { kind: 'read', events, customers: oldestFirst, createdAt };
}

const HOUR = 3_600;

/** The number of events that Stripe created in each hour, by the hour's beginning. */
function byHour(seconds: readonly number[]): [Date, number][] {
  const hours = new Map<number, number>();
  for (const second of seconds) {
    const hour = second - (second % HOUR);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
  }
  return [...hours].map(([hour, count]) => [new Date(hour * 1000), count]);
}
