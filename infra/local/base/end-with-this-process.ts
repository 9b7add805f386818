import { spawn } from 'node:child_process';

/**
 * Kills a process as soon as this process ends, even by SIGKILL. Returns a function that cancels this. No
 * polling: a shell waits for the end of its input, which the system closes with this process.
 */
export function endWithThisProcess(pid: number): () => void {
  const watchdog = spawn('sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A process group of its own: signals from the terminal are for the others.
    detached: true,
  });
  // Without a shell there is no watchdog, and the next start ends the remaining process.
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  return () => void watchdog.kill('SIGKILL');
}
