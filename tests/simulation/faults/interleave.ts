import type { Actor } from './actor.ts';

/**
 * Runs several actions concurrently, one dependency call at a time. `turns` chooses which of the waiting
 * calls goes next; once `turns` is used up, the first waiting call goes. A handler with several parallel
 * calls can be chosen for any of them.
 */
export async function interleave(
  runs: readonly { actor: Actor; work: () => Promise<unknown> }[],
  turns: readonly number[],
): Promise<void> {
  const waiting: { order: number; go: () => void }[] = [];
  const running = new Set(runs);
  const ended = runs.map(async (run, order) => {
    const { actor, work } = run;
    actor.interleaveWith(() => new Promise((go) => waiting.push({ order, go })));
    await work().finally(() => running.delete(run));
  });
  for (let turn = 0; running.size > 0;) {
    // Lets the chosen action reach its next call, or its end.
    await new Promise(setImmediate);
    if (waiting.length === 0) continue;
    waiting.sort((a, b) => a.order - b.order);
    const [next] = waiting.splice((turns[turn] ?? 0) % waiting.length, 1);
    turn += 1;
    next?.go();
  }
  await Promise.all(ended);
}
