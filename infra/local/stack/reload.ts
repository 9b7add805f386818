import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

// Milliseconds. Editors write a file in several steps, and a checkout writes many files.
const QUIET = 50;

/**
 * Calls `changed` when sources of the stack below `root` have changed, with their absolute paths. A call
 * starts after the one before has ended; changes in the meantime make one more call.
 */
export function watchStack(
  root: string,
  changed: (files: ReadonlySet<string>) => Promise<void>,
): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let files = new Set<string>();
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (files.size > 0) {
      const next = files;
      files = new Set();
      await changed(next);
    }
    isRunning = false;
  };
  const follow = (folder: string, options: { recursive: boolean }): FSWatcher =>
    watch(path.join(root, folder), options, (_, file) => {
      if (file === null || !/\.(ts|json)$/.test(file)) return;
      files.add(path.join(root, folder, file));
      clearTimeout(timer);
      timer = setTimeout(() => void run(), QUIET);
    });
  const watchers = [
    ...['functions', 'schemas', 'infra/constructs'].map((folder) => follow(folder, { recursive: true })),
    follow('infra', { recursive: false }),
  ];
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
