import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { uploadOptions } from '../../../../../infra/constructs/lambda/bundle.ts';
import { addCompiledCode, FLAGS, lambdaNode } from '../../../../../infra/constructs/lambda/compiled-code.ts';
import { compiledFolder } from '../../../../../schemas/config/compiled-code.ts';
import { folderOf, temporaryFolder } from '../../../../fixtures/repository/temporary-folder.ts';

const bundle = {
  'index.mjs': "import { plan } from './chunk-a.mjs'; export const handler = () => plan();",
  'chunk-a.mjs': "const plus = () => 'Plus'; export const plan = () => plus();",
  'chunk-b.mjs': "throw new Error('This module is imported on demand.');",
};

let folder: string;
let temporary: string;

beforeEach(() => {
  folder = folderOf(bundle);
  temporary = temporaryFolder();
  return () => {
    for (const made of [folder, temporary]) rmSync(made, { recursive: true, force: true });
  };
});

const compile = (into: string, at?: string) => {
  addCompiledCode(into, { node: process.execPath, options: uploadOptions, ...(at !== undefined && { at }) });
};

/** Imports the bundle in a new process and calls its handler, as Lambda does. */
const start = (flags: readonly string[]): string => {
  const call = `const { handler } = await import(${JSON.stringify(path.join(folder, 'index.mjs'))}); console.log(handler());`;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', call], {
    encoding: 'utf8',
    env: { TMPDIR: temporary, METRIC_NAMESPACE: 'selfsame-test', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  });
  return `${stdout}${stderr}`;
};
const taken = (output: string): number => output.match(/was accepted/g)?.length ?? 0;

test("each start takes a bundle's compiled code, also in a sandbox that has started before", () => {
  compile(folder, folder);
  const lost = () => {
    const [link = ''] = readdirSync(path.join(temporary, 'compiled-code'));
    rmSync(path.join(temporary, 'compiled-code', link));
    symlinkSync('/nowhere', path.join(temporary, 'compiled-code', link));
    return start(FLAGS);
  };
  for (const output of [start(FLAGS), start(FLAGS), lost()]) {
    expect(taken(output)).toBe(2);
    expect(output).toMatch(/^Plus$/m);
    expect(output).not.toContain('compiled-code-unused');
  }
});

describe('a start without compiled code that fits', () => {
  test.each<[string, () => string, string]>([
    ['has other flags', () => (compile(folder, folder), start([])), 'or other flags.'],
    [
      'finds damaged code',
      () => {
        compile(folder, folder);
        writeFileSync(path.join(folder, compiledFolder, 'sample'), 'damaged');
        return start(FLAGS);
      },
      'or other flags.',
    ],
    [
      'finds none',
      () => {
        compile(folder, folder);
        rmSync(path.join(folder, compiledFolder), { recursive: true });
        return start(FLAGS);
      },
      'The bundle has no compiled code.',
    ],
  ])('answers, says why and is counted if it %s', (_, started, reason) => {
    const output = started();
    expect(output).toMatch(/^Plus$/m);
    expect(taken(output)).toBe(0);
    expect(output).toContain("event: 'compiled-code-unused'");
    expect(output).toContain(reason);
    expect(output).toContain('"UncompiledStarts":1');
  });
});

test('the same bundle gets the same compiled code, so that a deployment leaves it alone', () => {
  const contents = () => {
    rmSync(folder, { recursive: true });
    cpSync(original, folder, { recursive: true });
    compile(folder);
    return readdirSync(path.join(folder, compiledFolder)).map((name) => [
      name,
      readFileSync(path.join(folder, compiledFolder, name), 'base64'),
    ]);
  };
  const original = folderOf(bundle);
  const first = contents();
  // Three modules and the sample.
  expect(first).toHaveLength(4);
  expect(contents()).toEqual(first);
  rmSync(original, { recursive: true });
});

describe('the Node that compiles', () => {
  const named = (says: string) => {
    const file = path.join(temporary, 'node');
    writeFileSync(file, `#!/bin/sh\necho ${says}\n`);
    chmodSync(file, 0o755);
    return { LAMBDA_NODE: file };
  };

  test('is the one that LAMBDA_NODE names', () => {
    const environment = named('v24.3.0 linux arm64');
    expect(lambdaNode(environment)).toEqual({ path: environment.LAMBDA_NODE, version: 'v24.3.0' });
  });

  test.each(['v22.3.0 linux arm64', 'v24.3.0 linux x64', 'v24.3.0 darwin arm64'])(
    'is refused if it is not of the kind that functions run on: %s',
    (says) => {
      expect(() => lambdaNode(named(says))).toThrow('Functions run on Node 24 for linux arm64');
    },
  );
});
