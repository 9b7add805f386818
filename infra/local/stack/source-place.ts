import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, Message } from 'esbuild';
import { sentenceOf } from '../base/start-failure.ts';

/** A line for each error, with its place in the format that editors and terminals link. */
export function linesOf({ errors, message }: BuildFailure): string {
  const lines = (errors ?? []).map(({ text, location }: Message) =>
    location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text,
  );
  return lines.length > 0 ? lines.join('\n') : message;
}

/**
 * Describes a failure of the program at `entry`, with its place below `root`. An `Error` of our own that is a
 * sentence stays unchanged. Other errors get the first of our lines that they came from.
 */
export async function placedFailure(
  error: unknown,
  { root, entry }: { root: string; entry: string },
): Promise<string> {
  // Node names only the first of these errors, and not always the line and column.
  const unreadable = await unreadableSources(root, entry);
  if (unreadable !== undefined) return unreadable;
  const sentence = sentenceOf(error);
  const place = error instanceof Error ? placeIn(error.stack ?? '', root) : undefined;
  if (place === undefined || isWorded(error, place.frame)) return sentence;
  return `${place.at}: ${sentence}`;
}

/** Errors of syntax and of imports, found by esbuild. Undefined if there are none. */
async function unreadableSources(root: string, entry: string): Promise<string | undefined> {
  const { build } = await import('esbuild');
  return build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
  }).then(
    () => undefined,
    (failure: BuildFailure) => linesOf(failure),
  );
}

/** The first line of a stack trace that is in our sources. `frame` counts from the throwing one. */
function placeIn(stack: string, root: string): { at: string; frame: number } | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) || line.startsWith('file:'));
  for (const [frame, line] of frames.entries()) {
    const [, url = '', rest = ''] = /(file:\/\/[^\s()]+?)((?::\d+)+)\)?$/.exec(line) ?? [];
    if (url === '' || url.includes('/node_modules/')) continue;
    const file = path.relative(root, fileURLToPath(url));
    if (!file.startsWith('..')) return { at: file.split(path.sep).join('/') + rest, frame };
  }
  return undefined;
}

/** Whether our own code has thrown the error, with a sentence that needs no place. */
const isWorded = (error: unknown, frame: number): boolean =>
  frame === 0 && error instanceof Error && error.name === 'Error';
