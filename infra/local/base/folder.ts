import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sentenceOf, StartFailure } from './start-failure.ts';

const LOCK = 'running.db';
// Milliseconds. A world whose parent was killed ends within this time, while SQLite waits for its lock.
const PATIENCE = 3_000;

/** Locks a world's folder. One that can't be used, or that another world holds, is a `StartFailure`. */
export function holdFolder(folder: string) {
  const lock = openLock(folder);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
  } catch (error) {
    lock.close();
    if (!isLocked(error)) throw unusable(folder, error);
    throw new StartFailure(
      `Another local world is running on ${folder}: end it first, or choose another folder with SELFSAME_LOCAL_DATA.`,
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

/** SQLite's lock ends with the process that holds it, even after SIGKILL. */
function openLock(folder: string): DatabaseSync {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return new DatabaseSync(path.join(folder, LOCK), { timeout: PATIENCE });
  } catch (error) {
    throw unusable(folder, error);
  }
}

/** On a path that can't exist, `mkdirSync` with `recursive` never returns (Node 24.21). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    readdirSync(folder);
    return;
  }
  makeFolder(path.dirname(folder));
  // Two worlds may create the folder at the same time.
  if (!existsSync(folder)) mkdirSync(folder);
}

// SQLITE_BUSY and SQLITE_LOCKED, https://www.sqlite.org/rescode.html.
const isLocked = (error: unknown) =>
  error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode));

const REASONS: Partial<Record<string, string>> = {
  ENOTDIR: 'it, or a folder above it, is a file',
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'its file system is read-only',
  ENOENT: 'its drive does not exist',
  ENOSPC: 'its drive is full',
};

function unusable(folder: string, error: unknown): StartFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new StartFailure(
    `The local world can't keep its data in ${folder}, because ${REASONS[code] ?? sentenceOf(error)}: choose another folder with SELFSAME_LOCAL_DATA.`,
  );
}
