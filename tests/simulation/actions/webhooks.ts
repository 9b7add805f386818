import { call } from '../../fixtures/fakes/http-event.ts';
import { Actor } from '../faults/actor.ts';
import type { Fault } from '../faults/fault.ts';
import type { Step } from '../history/history.ts';
import type { Envelope, World } from '../world/world.ts';
import { noteFault } from './note-fault.ts';

/** Sends an event to the webhook. Without `keep`, an accepted event leaves the queue. */
export async function deliverEvent(
  world: World,
  envelope: Envelope,
  keep: boolean,
): Promise<number | undefined> {
  const { status } = await call(world.system.webhook, world.stripe.signed(envelope.event));
  if (status === 200 && !keep) world.undelivered = world.undelivered.filter((queued) => queued !== envelope);
  if (status !== undefined && status >= 400 && status < 500) {
    world.violations.add('A signed event was refused.');
  }
  return status;
}

/**
 * Delivers the events that a step caused. `fault` applies to the deliveries until it has been injected once.
 */
export async function deliverEvents(
  world: World,
  caused: Envelope[],
  delivery: Step['delivery'],
  fault: Fault | undefined,
): Promise<void> {
  if (caused.length === 0) return;
  if (delivery === 'never') return;
  if (delivery === 'later') {
    world.undelivered.push(...caused);
    return;
  }
  let pendingFault = fault;
  for (const envelope of inOrderOf(delivery, caused)) {
    const actor = new Actor(pendingFault);
    const outcome = await actor.perform(() => deliverEvent(world, envelope, true));
    noteFault(world, actor);
    if (actor.injected) pendingFault = undefined;
    const failed = outcome.kind !== 'answered' || outcome.value !== 200;
    if (failed && !actor.metFault) {
      world.violations.add(`The event ${envelope.event.type} was refused without a fault.`);
    }
    // Stripe retries later.
    if (failed) world.undelivered.push(envelope);
  }
}

function inOrderOf(delivery: Step['delivery'], events: Envelope[]): Envelope[] {
  switch (delivery) {
    case 'in reverse':
      return events.toReversed();
    case 'each twice':
      return events.flatMap((envelope) => [envelope, envelope]);
    default:
      return events;
  }
}
