/**
 * Counts how often random histories reach each function and each branch in `functions/`, the rarest first.
 *
 *     node tests/simulation/count-branches.ts [histories] [seed]
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
const replacement = pathToFileURL(path.join(root, 'tests/fixtures/product/three-offers.ts')).href;
// The same offers as in Vitest's project. Node.js removes types without moving the rest, so V8's offsets are
// those of the files.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './plans-and-offers.ts'
      ? { url: replacement, shortCircuit: true }
      : next(specifier, context),
});
process.env['AWS_REGION'] ??= 'us-east-1';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { findCounterexample, HISTORIES, SEED } = await import('./find-counterexample.ts');
const [runs = HISTORIES, seed = SEED] = process.argv.slice(2).map(Number);
const found = await findCounterexample({ runs, seed });
const { result } = await session.post('Profiler.takePreciseCoverage');

const functions = pathToFileURL(path.join(root, 'functions/')).href;
const branches = result
  .filter(({ url }) => url.startsWith(functions))
  .flatMap(({ url, functions: parts }) => {
    const file = fileURLToPath(url);
    const lines = readFileSync(file, 'utf8').split(/(?<=\n)/);
    // The first range of a file is the module itself.
    return parts.slice(1).flatMap(({ ranges }) =>
      ranges.map(({ startOffset, count }) => {
        let offset = startOffset;
        const line = lines.findIndex(({ length }) => (offset -= length) < 0);
        return { count, at: `${path.relative(root, file)}:${line + 1}`, text: lines[line]?.trim() ?? '' };
      }),
    );
  })
  .toSorted((one, other) => one.count - other.count);
for (const { count, at, text } of branches) console.log(`${String(count).padStart(9)}  ${at}  ${text}`);
console.log(
  `${runs} histories of seed ${seed}: ${branches.filter(({ count }) => count === 0).length} of ` +
    `${branches.length} functions and branches were not reached.`,
);
if (found) {
  console.error(found.text);
  process.exitCode = 1;
}
