import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Bare {
  origin: string;
  stop(): Promise<void>;
}

/** Starts bare-server.ts in its own process. `environment`: the variables that it reads. */
export async function startBare(environment: Record<string, string | undefined>): Promise<Bare> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const ended = once(child, 'exit');
  const [port] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error('The bare server ended as it started.'))),
  ])) as [string];
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
