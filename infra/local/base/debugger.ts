import inspector from 'node:inspector';
import { StartFailure } from './start-failure.ts';

// Node's default port, which debuggers try first.
const PORT = 9229;
// Milliseconds. A longer timer would fire at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** Whether a debugger can attach to this process, and through it to the threads of functions. */
export const isDebugged = (): boolean => inspector.url() !== undefined;

/** A service's time limit in milliseconds. A function that stops at a breakpoint has no limit. */
export const unlessDebugged = (milliseconds: number): number => (isDebugged() ? LONGEST_TIMER : milliseconds);

/** Lets a debugger attach, unless a debugger has started this process. */
export function openDebugger(): void {
  if (isDebugged()) return;
  inspector.open(PORT, '127.0.0.1');
  if (!isDebugged()) {
    throw new StartFailure(`Port ${PORT} is in use by another program, and --inspect needs it.`);
  }
}
