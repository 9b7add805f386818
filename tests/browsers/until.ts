import { setTimeout as pause } from 'node:timers/promises';

// Milliseconds. A busy machine takes up to twenty seconds for a sign-in.
const LIMIT = 30_000;
const PAUSE = 25;

/** Repeats `attempt` until it doesn't throw, and resolves with its value. An error names `what`. */
export async function until<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + LIMIT;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw new Error(`Waited in vain: ${what}.`, { cause: error });
    }
    await pause(PAUSE);
  }
}
