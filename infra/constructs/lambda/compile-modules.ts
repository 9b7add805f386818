/**
 * Compiles the modules of a bundle for another place: `node --expose-gc compile-modules.ts <folder> <at>`
 * writes V8's code cache of each module in `folder` into `<folder>/compiled`, under the name by which Node
 * looks for it once the modules are in the folder `at`. Runs on the Node that is to use it: V8 takes the
 * cache only with its own version and flags.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { compiledFolder, sample } from '../../../schemas/config/compiled-code.ts';

// A file of Node's has five words before V8's data. The last is the data's CRC-32.
const WORD = 4;
const NODE_HEADER = 5 * WORD;
const CHECKSUM = 4 * WORD;

const [folder = '', at = ''] = process.argv.slice(2);
const modules = globSync('**/*.mjs', { cwd: folder });
const cache = mkdtempSync(path.join(tmpdir(), 'selfsame-compiled-'));

// Node's name of a file: the CRC-32 of the type, 1 for an ES module, and of the module's URL.
const nameOf = (file: string): string =>
  crc32(`\u0001${pathToFileURL(file).href}`)
    .toString(16)
    .padStart(8, '0');
const compiledSample = () => new Script(sample.source).createCachedData();

// Compiles all functions, not only those that a start calls.
setFlagsFromString('--no-lazy');
enableCompileCache(cache);
// A module that throws before its imports would run: they are compiled, and nothing of them is executed.
const imports = modules.map(
  (file) => `import ${JSON.stringify(pathToFileURL(path.join(folder, file)).href)};`,
);
const source = `import 'data:text/javascript,throw "compiled"';${imports.join('')}`;
await import(`data:text/javascript,${encodeURIComponent(source)}`).catch((thrown: unknown) => {
  if (thrown !== 'compiled') throw thrown;
});
flushCompileCache();
const eager = compiledSample();
setFlagsFromString('--lazy');
const usual = compiledSample();

// V8 writes a hash of its flags into the data. The code is the same with the usual flags, so it gets theirs.
const differing = Array.from({ length: usual.length / WORD }, (_, index) => index * WORD).filter(
  (offset) => usual.readUInt32LE(offset) !== eager.readUInt32LE(offset),
);
const [flags] = differing;
if (flags === undefined || differing.length > 1) {
  throw new Error(`V8 of Node ${process.version} doesn't mark compiled code with its flags in one word.`);
}
function withUsualFlags(data: Buffer): Buffer {
  usual.copy(data, flags, flags, (flags ?? 0) + WORD);
  return data;
}

const into = path.join(folder, compiledFolder);
mkdirSync(into, { recursive: true });
for (const file of modules) {
  const written = readFileSync(path.join(getCompileCacheDir() ?? '', nameOf(path.join(folder, file))));
  const data = withUsualFlags(written.subarray(NODE_HEADER));
  written.writeUInt32LE(crc32(data), CHECKSUM);
  writeFileSync(path.join(into, nameOf(path.join(at, file))), written);
}
writeFileSync(path.join(into, sample.name), withUsualFlags(eager));
rmSync(cache, { recursive: true });
