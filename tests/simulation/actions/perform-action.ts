import type { Actor } from '../faults/actor.ts';
import type { Outcome } from '../faults/fault.ts';
import type { InstantAction } from '../history/action.ts';
import type { World } from '../world/world.ts';
import { actOutside } from './external-actions.ts';
import { endComplimentary, isHandlerAction, runHandler } from './handler-actions.ts';

/**
 * Performs an action. The outcome of a handler is its HTTP status. A failure without a fault is a violation.
 */
export async function performAction(
  world: World,
  action: InstantAction,
  actor: Actor,
  isConcurrent: boolean,
): Promise<Outcome<number | undefined>> {
  const { log, violations } = world;
  log?.(`${world.now.toISOString()} ${JSON.stringify(action)}`);
  const outcome = await actor.perform(() => execute(world, action, actor));
  if (action.type === 'cancel') endComplimentary(world, world.subscriber, world.now);
  log?.(
    `  ${action.type}: ${JSON.stringify(outcome)} after ${actor.calls.map(({ name }) => name).join(', ')}; ` +
      `fault: ${JSON.stringify(actor.injected)}; row: ${JSON.stringify(world.rowOf(world.subscriber))}`,
  );
  const status = outcome.kind === 'answered' ? (outcome.value ?? 0) : 0;
  if (status >= 500 && !isConcurrent && !actor.metFault) {
    violations.add(`"${action.type}" failed without a fault.`);
  }
  if (outcome.kind === 'threw' && !actor.metFault) {
    violations.add(`"${action.type}" threw without a fault: ${String(outcome.error)}`);
  }
  return outcome;
}

async function execute(world: World, action: InstantAction, actor: Actor): Promise<number | undefined> {
  actor.runsHandler = isHandlerAction(action);
  if (isHandlerAction(action)) return runHandler(world, action);
  await actor.awaitTurn();
  actOutside(world, action);
  return undefined;
}
