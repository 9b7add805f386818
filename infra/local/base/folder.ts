import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFailure } from './start-failure.ts';

const LOCK = 'running.db';
// Milliseconds. A world whose parent was killed ends within this time; SQLite waits for its lock.
const PATIENCE = 3_000;

/** A folder with the state of one local world, locked against a second world. */
interface HeldFolder {
  path: string;
  /** Removes everything in it. */
  clear(): void;
  release(): void;
}

/** A folder that another world holds is a `StartFailure`. */
export function holdFolder(folder: string): HeldFolder {
  mkdirSync(folder, { recursive: true });
  // SQLite's lock ends with the process that holds it, even if that is killed.
  const lock = new DatabaseSync(path.join(folder, LOCK), { timeout: PATIENCE });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
  } catch {
    lock.close();
    throw new StartFailure(
      `Another local world is running on ${folder}: end that one first, or give this one its own with LOCAL_DATA.`,
    );
  }
  return {
    path: folder,
    clear: () => {
      for (const name of readdirSync(folder)) {
        if (!name.startsWith(LOCK)) rmSync(path.join(folder, name), { recursive: true, force: true });
      }
    },
    release: () => lock.close(),
  };
}
