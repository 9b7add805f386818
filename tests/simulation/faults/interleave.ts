import type { Actor } from './actor.ts';
import type { DependencyCall } from './fault.ts';

/** A call that waits for its turn. `run` is the index of its action; `call` is undefined for a pause. */
export interface WaitingCall {
  run: number;
  call: DependencyCall | undefined;
}

/**
 * The call to go next, by its index in `waiting`; undefined while none may. `running`: the actions that
 * haven't ended.
 */
export type Chooser = (waiting: readonly WaitingCall[], running: ReadonlySet<number>) => number | undefined;

/**
 * Runs several actions concurrently, one dependency call at a time. `turns` chooses which of the waiting
 * calls goes next; once `turns` is used up, the first waiting call goes. A handler with several parallel
 * calls can be chosen for any of them.
 */
export async function interleave(
  runs: readonly { actor: Actor; work: () => Promise<unknown> }[],
  turns: readonly number[] | Chooser,
): Promise<void> {
  const waiting: (WaitingCall & { go: () => void })[] = [];
  const running = new Set(runs.keys());
  const choose = typeof turns === 'function' ? turns : inTurns(turns);
  const ended = [...runs.entries()].map(async ([run, { actor, work }]) => {
    actor.interleaveWith((call) => new Promise((go) => waiting.push({ run, call, go })));
    await work().finally(() => running.delete(run));
  });
  while (running.size > 0) {
    // Lets the chosen action reach its next call, or its end.
    await new Promise(setImmediate);
    waiting.sort((a, b) => a.run - b.run);
    const chosen = choose(waiting, running);
    if (chosen !== undefined) waiting.splice(chosen, 1)[0]?.go();
  }
  await Promise.all(ended);
}

function inTurns(turns: readonly number[]): Chooser {
  let turn = 0;
  return ({ length }) => {
    if (length === 0) return undefined;
    turn += 1;
    return (turns[turn - 1] ?? 0) % length;
  };
}
