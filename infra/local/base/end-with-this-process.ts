import { spawn } from 'node:child_process';

/**
 * Has a process killed as soon as this process is gone, even if this one is killed without a chance to act.
 * Returns how to take that back. Both need no time: a shell waits for the end of its input, which the system
 * closes with this process.
 */
export function endWithThisProcess(pid: number): () => void {
  const watchdog = spawn('sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: signals from the terminal are for the others.
    detached: true,
  });
  // Without a shell there is no watchdog, and the next start ends what was left behind.
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  return () => void watchdog.kill('SIGKILL');
}
