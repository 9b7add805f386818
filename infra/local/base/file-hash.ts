import type { Hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files below a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

/** Adds a file's path and content. */
export function addFile(hash: Hash, file: string): void {
  const content = readFileSync(file);
  hash.update(JSON.stringify([file, content.length])).update(content);
}
