import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { resourceTypes } from '../../aws/services.ts';
import { StartFailure } from '../../base/start-failure.ts';
import { SourceStack } from '../../stack/source-stack.ts';
import { type SynthesisOptions, synthesizeStaging } from '../../stack/synthesis.ts';
import { folderOf, synthesized, temporaryFolder } from '../fixtures/local-stack.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const options = { bundle: true, format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } };

const planThatAnswers = (text: string) =>
  `import { shared } from '../shared.ts'; export const handler = () => '${text} ' + shared;`;

/** A followed checkout of two functions that share a module. The synthesis fails while stack.ts says so. */
async function watchedCheckout() {
  const checkout = folderOf({
    'package.json': '{}',
    'package-lock.json': '{}',
    'functions/api/plan.ts': planThatAnswers('plan'),
    'functions/api/export.ts':
      "import { shared } from '../shared.ts'; export const handler = () => `export ${shared}`;",
    'functions/shared.ts': "export const shared = 'one';",
    'schemas/api.ts': '',
    'infra/stack.ts': '',
    'infra/constructs/api/api.ts': '',
    'site/index.html': '',
  });
  const dataDir = temporaryFolder();
  const said: string[] = [];
  const syntheses: SynthesisOptions[] = [];
  let failure: string | undefined;
  const stack = new SourceStack({
    root: checkout,
    dataDir,
    site: path.join(checkout, 'site'),
    types: resourceTypes,
    say: (line) => said.push(line),
    unwatched: expect.unreachable,
    synthesize: async (given) => {
      syntheses.push(given);
      mkdirSync(given.outdir, { recursive: true });
      if (failure !== undefined) throw new StartFailure(failure);
      const entries = Object.fromEntries(
        ['api/plan', 'api/export'].map((name) => [name, path.join(checkout, 'functions', `${name}.ts`)]),
      );
      const modules = [path.join(checkout, 'infra/stack.ts')];
      return { ...synthesized({}), modules, unbundled: { entries, options } };
    },
  });
  ends.push(() => stack.close());
  await stack.load();
  const deployed = vi.fn(async () => {});
  const reloaded: string[][] = [];
  const following = stack.follow({
    deploy: deployed,
    reloadFunctions: (folders) => {
      reloaded.push([...folders].map((folder) => path.relative(path.join(dataDir, 'functions'), folder)));
    },
  });
  ends.push(() => following.close());
  await following.ready;
  return {
    dataDir,
    said,
    syntheses,
    deployed,
    reloaded,
    write: (file: string, text: string) => writeFileSync(path.join(checkout, file), text),
    fail: (sentence: string | undefined) => (failure = sentence),
    /** A function's answer after a restart. */
    answerOf: async (name: string): Promise<unknown> => {
      const file = pathToFileURL(path.join(dataDir, 'functions', name, 'index.mjs'));
      const module = (await import(`${file.href}?${said.length}`)) as { handler: () => unknown };
      return module.handler();
    },
  };
}

test('a saved handler is rebuilt and announced, and only its function restarts', async () => {
  const { write, said, reloaded, answerOf, syntheses } = await watchedCheckout();
  write('functions/api/plan.ts', planThatAnswers('another plan'));
  await vi.waitFor(() => expect(reloaded).toEqual([['api/plan']]));
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said.slice(1)).toEqual([
    'functions/api/plan.ts has changed: rebuilding …',
    expect.stringMatching(/^api\/plan: up to date after \d+\.\d s\.$/),
  ]);
  expect(await answerOf('api/plan')).toBe('another plan one');
  expect(await answerOf('api/export')).toBe('export one');
  expect(syntheses).toHaveLength(1);
});

test('an error in a handler is announced with its place, and the old code stays until it is fixed', async () => {
  const { write, said, reloaded, answerOf } = await watchedCheckout();
  write('functions/api/plan.ts', 'export const handler = ;');
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said[2]).toBe(
    'The functions could not be bundled: functions/api/plan.ts:1:24: Unexpected ";"\nThe running stack is unchanged.',
  );
  expect(reloaded).toEqual([]);
  expect(await answerOf('api/plan')).toBe('plan one');
  write('functions/api/plan.ts', planThatAnswers('fixed'));
  await vi.waitFor(() => expect(reloaded).toEqual([['api/plan']]));
  expect(await answerOf('api/plan')).toBe('fixed one');
});

test('a module of the stack is synthesized and deployed, announced before and after', async () => {
  const { write, said, deployed, syntheses } = await watchedCheckout();
  write('infra/stack.ts', 'export const changed = true;');
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said.slice(1)).toEqual([
    'infra/stack.ts has changed: synthesizing the stack …',
    expect.stringMatching(/^The stack: up to date after \d+\.\d s\.$/),
  ]);
  expect(deployed).toHaveBeenCalledOnce();
  expect(syntheses).toHaveLength(2);
});

test('a stack that fails is announced and leaves the world, and the next save tries it again', async () => {
  const { write, said, fail, deployed } = await watchedCheckout();
  fail('infra/constructs/api/api.ts has no Api.');
  write('infra/stack.ts', 'export const changed = true;');
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said[2]).toBe('infra/constructs/api/api.ts has no Api.\nThe running stack is unchanged.');
  expect(deployed).not.toHaveBeenCalled();
  // The failed synthesis had not loaded this module, so nothing knows that the stack depends on it.
  fail(undefined);
  write('infra/constructs/api/api.ts', 'export class Api {}');
  await vi.waitFor(() => expect(deployed).toHaveBeenCalledOnce());
});

test('the synthesis names the modules it has read, and the template depends on no function', async () => {
  const dataDir = temporaryFolder();
  const { modules, template, unbundled } = await synthesizeStaging({
    outdir: path.join(dataDir, 'out'),
    site: path.join(root, 'web/public'),
    functions: path.join(dataDir, 'functions'),
  });
  const read = modules.map((file) => path.relative(root, file));
  expect(read).toEqual(
    expect.arrayContaining([
      'infra/app.ts',
      'infra/stages/stages.ts',
      'infra/constructs/lambda/app-function.ts',
      'infra/local/stack/synthesis-child.ts',
      'schemas/api.ts',
    ]),
  );
  expect(read.filter((file) => /^functions|node_modules/.test(file))).toEqual([]);
  expect(unbundled?.entries['api/plan']).toBe(path.join(root, 'functions/api/plan.ts'));
  expect(template).toMatch(/selfsame-staging\.template\.json$/);
});

// Five syntheses take minutes on a busy machine.
const SYNTHESES = { timeout: 300_000 };

test('an error that stops the synthesis is reported with its file, line and column', SYNTHESES, () => {
  const copy = temporaryFolder();
  const unread = ['node_modules', '.git', '.local', 'cdk.out', 'tests', 'web', 'test-results'];
  for (const name of readdirSync(root)) {
    if (!unread.includes(name)) cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  // A folder without node_modules, in which other tests keep and remove pages.
  const copied = {
    outdir: path.join(copy, 'out'),
    site: path.join(copy, 'infra'),
    functions: path.join(copy, 'built'),
  };
  const failureAfter = (file: string, from: string, to: string) => {
    const source = readFileSync(path.join(copy, file), 'utf8');
    expect(source).toContain(from);
    writeFileSync(path.join(copy, file), source.replace(from, to));
    const child = spawnSync(
      process.execPath,
      [path.join(copy, 'infra/local/stack/synthesis-child.ts'), JSON.stringify(copied)],
      { encoding: 'utf8' },
    );
    writeFileSync(path.join(copy, file), source);
    return JSON.parse(child.stdout.trim().split('\n').at(-1) ?? '') as unknown;
  };
  const failed = (message: RegExp) => ({ kind: 'failed', message: expect.stringMatching(message) as string });
  const provisions = 'infra/provisions.ts';

  expect(failureAfter('schemas/api.ts', 'export ', 'export const = 1;\nexport ')).toEqual(
    failed(/^schemas\/api\.ts:\d+:14: Expected identifier but found "="$/),
  );
  expect(
    failureAfter(provisions, "from '../schemas/config/environment.ts'", "from '../schemas/nowhere.ts'"),
  ).toEqual(failed(/^infra\/provisions\.ts:\d+:\d+: Could not resolve "\.\.\/schemas\/nowhere\.ts"$/));
  expect(failureAfter(provisions, 'site: { environment', 'syte: { environment')).toEqual(
    failed(/^infra\/provisions\.ts:\d+:\d+: Nothing provides "site", .*: add it here\.$/),
  );
  expect(failureAfter(provisions, 'mail.from }', '(undefined as any).from }')).toEqual(
    failed(/^infra\/provisions\.ts:\d+:\d+: Cannot read properties of undefined/),
  );
  // Node removes types and keeps what has to be compiled, so it refuses what esbuild takes.
  expect(failureAfter(provisions, 'const noCanary', 'enum Stages {}\nconst noCanary')).toEqual(
    failed(/^infra\/provisions\.ts:\d+.*: TypeScript enum is not supported in strip-only mode$/),
  );
});
