import path from 'node:path';
import { watch } from 'chokidar';
import { sentenceOf } from '../base/start-failure.ts';

// Milliseconds. Editors write a file in several steps, and a checkout writes many files.
const QUIET = 50;

const FOLDERS = ['functions', 'schemas', 'infra'];
// Only a start reads the first folder, which is this program. Tests write the second.
const IGNORED = ['infra/local', 'infra/snapshots'];

export type StackWatch = ReturnType<typeof watchStack>;

/**
 * Calls `changed` when sources of the stack below `root` have changed, with their absolute paths. Calls don't
 * overlap: changes during a call lead to one more call. `failed` is called for each file that can't be
 * watched.
 *
 * On Linux, Node's own recursive watch loses files that are replaced by a rename, as Git and many editors do.
 */
export function watchStack(
  root: string,
  {
    changed,
    failed,
  }: { changed: (files: ReadonlySet<string>) => Promise<void>; failed: (message: string) => void },
) {
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
  const ignored = IGNORED.map((folder) => path.join(root, folder));
  const watcher = watch(
    FOLDERS.map((folder) => path.join(root, folder)),
    {
      ignoreInitial: true,
      ignored: (file, stats) =>
        ignored.includes(file) || (stats !== undefined && stats.isFile() && !/\.(ts|json)$/.test(file)),
    },
  );
  const ready = new Promise<void>((resolve) => watcher.once('ready', resolve).once('error', () => resolve()));
  watcher.on('all', (event, file) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    files.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET);
  });
  watcher.on('error', (error) => failed(sentenceOf(error)));
  return {
    /** Resolves once every change is noticed. */
    ready,
    close: () => {
      clearTimeout(timer);
      return watcher.close();
    },
  };
}
