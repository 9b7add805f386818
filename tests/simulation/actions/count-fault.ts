import type { Actor } from '../faults/actor.ts';
import type { World } from '../world/world.ts';

export function countFault({ counters }: World, { injected }: Actor): void {
  if (injected) counters.count('Faults', `${injected.dependency} ${injected.fault}`);
}
