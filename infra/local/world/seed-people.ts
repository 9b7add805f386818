import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Creates a user in each state in the world at `origin`, by `infra/local/people` in its own process, which
 * knows the product and prints to this process's output. Resolves with whether it succeeded.
 */
export async function seedPeople(origin: string): Promise<boolean> {
  const script = fileURLToPath(new URL('../people/start.ts', import.meta.url));
  const child = spawn(process.execPath, [script, origin], { stdio: ['ignore', 'inherit', 'inherit'] });
  const end = () => void child.kill();
  process.once('exit', end);
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  process.off('exit', end);
  return code === 0;
}
