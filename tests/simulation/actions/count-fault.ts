import type { Actor } from '../faults/actor.ts';
import type { World } from '../world/world.ts';

export function countFault(world: World, { injected }: Actor): void {
  if (!injected) return;
  const { dependency, name, fault } = injected;
  world.counters.count('Faults', `${dependency} ${fault}`);
  // Between sending a mail and noting that it was told, nobody can know whether it was sent.
  const isSent = dependency === 'mail' && fault !== 'fails before' && fault !== 'crashes before';
  const isUntold = name === 'told' && fault !== 'is repeated' && fault !== 'crashes after';
  if (isSent || isUntold) world.mayBeSentTwice += 1;
}
