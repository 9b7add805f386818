import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { StartFailure } from '../../../infra/local/base/start-failure.ts';
import { SourceStack } from '../../../infra/local/stack/source-stack.ts';
import { type SynthesisOptions, synthesiseStaging } from '../../../infra/local/stack/synthesis.ts';
import { folderOf, synthesised, temporaryFolder } from '../../fixtures/local-stack.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const options = { bundle: true, format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } };

const planThatAnswers = (text: string) =>
  `import { shared } from '../shared.ts'; export const handler = () => '${text} ' + shared;`;

/** A followed checkout of two functions that share a module. Its synthesis fails while stack.ts says so. */
async function followedCheckout() {
  const checkout = folderOf({
    'package.json': '{}',
    'package-lock.json': '{}',
    'functions/api/plan.ts': planThatAnswers('plan'),
    'functions/api/export.ts':
      "import { shared } from '../shared.ts'; export const handler = () => `export ${shared}`;",
    'functions/shared.ts': "export const shared = 'one';",
    'schemas/api.ts': '',
    'infra/stack.ts': '',
    'infra/constructs/api.ts': '',
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
    say: (line) => said.push(line),
    synthesise: async (given) => {
      syntheses.push(given);
      mkdirSync(given.outdir, { recursive: true });
      if (failure !== undefined) throw new StartFailure(failure);
      const entries = Object.fromEntries(
        ['api/plan', 'api/export'].map((name) => [name, path.join(checkout, 'functions', `${name}.ts`)]),
      );
      const modules = [path.join(checkout, 'infra/stack.ts')];
      return { ...synthesised({}), modules, unbundled: { entries, options } };
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
  return {
    said,
    syntheses,
    deployed,
    reloaded,
    write: (file: string, text: string) => writeFileSync(path.join(checkout, file), text),
    fail: (sentence: string | undefined) => (failure = sentence),
    /** What a function answers when it starts anew. */
    answerOf: async (name: string): Promise<unknown> => {
      const file = pathToFileURL(path.join(dataDir, 'functions', name, 'index.mjs'));
      const module = (await import(`${file.href}?${said.length}`)) as { handler: () => unknown };
      return module.handler();
    },
  };
}

test('a saved handler is rebuilt and announced, and only its function runs anew', async () => {
  const { write, said, reloaded, answerOf, syntheses } = await followedCheckout();
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

test('a module of several functions is taken over by all of them', async () => {
  const { write, reloaded, answerOf } = await followedCheckout();
  write('functions/shared.ts', "export const shared = 'two';");
  await vi.waitFor(() => expect(reloaded).toHaveLength(1));
  expect(reloaded[0]?.toSorted()).toEqual(['api/export', 'api/plan']);
  expect([await answerOf('api/plan'), await answerOf('api/export')]).toEqual(['plan two', 'export two']);
});

test('an error in a handler is announced with its place, and the old code stays until it is mended', async () => {
  const { write, said, reloaded, answerOf } = await followedCheckout();
  write('functions/api/plan.ts', 'export const handler = ;');
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said[2]).toBe(
    'The functions could not be bundled: functions/api/plan.ts:1:24: Unexpected ";"\nThe running stack stays as it was.',
  );
  expect(reloaded).toEqual([]);
  expect(await answerOf('api/plan')).toBe('plan one');
  write('functions/api/plan.ts', planThatAnswers('mended'));
  await vi.waitFor(() => expect(reloaded).toEqual([['api/plan']]));
  expect(await answerOf('api/plan')).toBe('mended one');
});

test('a module of the stack is synthesised and deployed, announced before and after', async () => {
  const { write, said, deployed, syntheses } = await followedCheckout();
  write('infra/stack.ts', 'export const changed = true;');
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said.slice(1)).toEqual([
    'infra/stack.ts has changed: synthesising the stack …',
    expect.stringMatching(/^The stack: up to date after \d+\.\d s\.$/),
  ]);
  expect(deployed).toHaveBeenCalledOnce();
  expect(syntheses).toHaveLength(2);
});

test('a stack that fails is announced and leaves the world, and the next save tries it again', async () => {
  const { write, said, fail, deployed } = await followedCheckout();
  fail('infra/constructs/api.ts has no Api.');
  write('infra/stack.ts', 'export const changed = true;');
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said[2]).toBe('infra/constructs/api.ts has no Api.\nThe running stack stays as it was.');
  expect(deployed).not.toHaveBeenCalled();
  // The failed synthesis had not loaded this module, so nothing knows that the stack depends on it.
  fail(undefined);
  write('infra/constructs/api.ts', 'export class Api {}');
  await vi.waitFor(() => expect(deployed).toHaveBeenCalledOnce());
});

test('the synthesis names the modules it has read, and the template depends on no function', async () => {
  const dataDir = temporaryFolder();
  const { modules, template, unbundled } = await synthesiseStaging({
    outdir: path.join(dataDir, 'out'),
    site: path.join(root, 'web/public'),
    functions: path.join(dataDir, 'functions'),
  });
  const read = modules.map((file) => path.relative(root, file));
  expect(read).toEqual(
    expect.arrayContaining([
      'infra/app.ts',
      'infra/stages.ts',
      'infra/constructs/app-function.ts',
      'infra/local/stack/synthesis-child.ts',
      'schemas/api.ts',
    ]),
  );
  expect(read.filter((file) => /^functions|node_modules/.test(file))).toEqual([]);
  expect(unbundled?.entries['api/plan']).toBe(path.join(root, 'functions/api/plan.ts'));
  expect(template).toMatch(/selfsame-staging\.template\.json$/);
});
