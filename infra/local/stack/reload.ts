import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

// Milliseconds. Editors write a file in several steps, and a checkout writes many files.
const QUIET = 150;

/**
 * Calls `changed` when a source of the stack below `root` has changed. A call starts after the one before has
 * ended; changes in the meantime make one more call.
 */
export function watchStack(root: string, changed: () => Promise<void>): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  let state: 'idle' | 'running' | 'running-and-changed' = 'idle';
  const run = async () => {
    if (state !== 'idle') {
      state = 'running-and-changed';
      return;
    }
    do {
      state = 'running';
      await changed();
    } while ((state as string) === 'running-and-changed');
    state = 'idle';
  };
  const note = (_: string, file: string | null) => {
    if (file !== null && !/\.(ts|json)$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET);
  };
  const watchers: FSWatcher[] = [
    ...['functions', 'schemas', 'infra/constructs'].map((folder) =>
      watch(path.join(root, folder), { recursive: true }, note),
    ),
    watch(path.join(root, 'infra'), note),
  ];
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
