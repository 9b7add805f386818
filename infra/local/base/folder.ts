import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { endStaleEngine } from '../aws/dynamodb/engine.ts';
import { StartFailure } from './start-failure.ts';

const LOCK = 'running.db';
// Milliseconds. One whose parent was killed is about to end; SQLite waits for its lock.
const PATIENCE = 3_000;

/** A folder with the state of one local world, held so that no second one uses it. */
export interface HeldFolder {
  path: string;
  release(): void;
}

/** `fresh`: begin empty. A folder that another world is using is a `StartFailure`. */
export async function holdFolder(folder: string, { fresh }: { fresh: boolean }): Promise<HeldFolder> {
  mkdirSync(folder, { recursive: true });
  // A lock of SQLite's ends with the process that holds it, however that ends.
  const lock = new DatabaseSync(path.join(folder, LOCK), { timeout: PATIENCE });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
  } catch {
    lock.close();
    throw new StartFailure(
      `Another local world is running on ${folder}: end that one first, or give this one its own with LOCAL_DATA.`,
    );
  }
  await endStaleEngine(folder);
  if (fresh) {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(LOCK)) rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
  return { path: folder, release: () => lock.close() };
}
