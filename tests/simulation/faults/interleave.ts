import type { Actor } from './actor.ts';

/**
 * Runs two actions at once, one dependency call at a time. `turns` chooses which of the waiting calls goes
 * next; once `turns` is used up, the first waiting call goes. A handler with several parallel calls can be
 * chosen for any of them.
 */
export async function interleave(
  runs: readonly { actor: Actor; work: () => Promise<unknown> }[],
  turns: readonly number[],
): Promise<void> {
  const waiting: { run: number; go: () => void }[] = [];
  const running = new Set(runs);
  const ended = runs.map(async (run, place) => {
    const { actor, work } = run;
    actor.interleaveWith(() => new Promise((go) => waiting.push({ run: place, go })));
    await work().finally(() => running.delete(run));
  });
  let turn = 0;
  while (running.size > 0) {
    // Lets the chosen action reach its next call, or its end.
    await new Promise(setImmediate);
    if (waiting.length === 0) continue;
    waiting.sort((a, b) => a.run - b.run);
    waiting.splice((turns[turn] ?? 0) % waiting.length, 1)[0]?.go();
    turn += 1;
  }
  await Promise.all(ended);
}
