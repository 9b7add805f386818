import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// Static, type-only and lazy imports. The linter's rule does not follow lazy imports.
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.tsx?)'/g;

const importsOf = new Map(
  globSync('web/src/**/*.{ts,tsx}').map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, target = '']) =>
      path.join(path.dirname(file), target),
    ),
  ]),
);

/** The first circle that a walk from `file` finds, as the files on it; null if there is none. */
function circleFrom(file: string, walked: readonly string[], done: Set<string>): string[] | null {
  if (walked.includes(file)) return [...walked.slice(walked.indexOf(file)), file];
  if (done.has(file)) return null;
  for (const target of importsOf.get(file) ?? []) {
    const circle = circleFrom(target, [...walked, file], done);
    if (circle) return circle;
  }
  done.add(file);
  return null;
}

test('no module of the site imports itself through others, lazy imports included', () => {
  expect(importsOf.get('web/src/session/follow-session.ts')).toContain(
    'web/src/session/session-lifecycle.ts',
  );
  const done = new Set<string>();
  for (const file of importsOf.keys()) expect(circleFrom(file, [], done)).toBeNull();
});
