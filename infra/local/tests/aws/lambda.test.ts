import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Clock, type Timed } from '../../base/clock.ts';
import { EnvironmentLimit } from '../../aws/lambda/environment-limit.ts';
import { Functions } from '../../aws/lambda/functions.ts';
import { type LogEntry } from '../../base/log.ts';
import { folderOf, lambda, template } from '../fixtures/local-stack.ts';

const clock = new Clock();
const log: LogEntry[] = [];
let functions: Functions;
afterEach(() => functions.stop());

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:selfsame-staging-Fn';
const endpoint = 'http://127.0.0.1:1';

function stackOf(code: string, properties: Record<string, unknown> = {}) {
  return template({ Fn: lambda('fn.zip', properties) }, {}, { 'fn.zip': folderOf({ 'index.mjs': code }) });
}

/** Starts the function. Returns how to call it. */
async function running(code: string, properties?: Record<string, unknown>) {
  functions = new Functions({
    clock,
    endpoints: { DYNAMODB: endpoint },
    log: (line) => log.push(line),
  });
  await functions.update(stackOf(code, properties));
  return (event: unknown = {}) => functions.invoke(ARN, event);
}

test("a function's time is the local world's, by every way to ask for it, and moves while it lives", async () => {
  const invoke = await running(`export const handler = () => {
    const moments = [Date.now(), new Date().getTime(), Date.parse(new Date().toISOString()), Date.parse(Date()), new (new Date().constructor)().getTime()];
    return { moments, fixed: new Date(0).toISOString(), utc: Date.UTC(2026, 0), is: new Date() instanceof Date, day: new Date(2026, 0, 5).getDate() };
  };`);
  for (let i = 0; i < 2; i += 1) {
    const answer = (await invoke()) as { moments: number[] };
    for (const moment of answer.moments) {
      expect(Math.abs(moment - clock.now().getTime())).toBeLessThan(5_000);
    }
    expect(answer).toMatchObject({
      fixed: '1970-01-01T00:00:00.000Z',
      utc: Date.UTC(2026, 0),
      is: true,
      day: 5,
    });
    await clock.advance(40 * 86_400_000);
  }
});

test('a function waits in a pause, but not while the clock jumps', async () => {
  const invoke = await running(`import { setTimeout as pause } from 'node:timers/promises';
  export const handler = async () => {
    const began = performance.now();
    await pause(400);
    return performance.now() - began;
  };`);
  let nextDue: number | undefined = clock.now().getTime() + 1_000;
  let pausedInJump: unknown;
  const work: Timed = {
    jump: 'each',
    nextDue: () => nextDue,
    run: async () => {
      nextDue = undefined;
      pausedInJump = await invoke();
    },
  };
  clock.register(work);
  await clock.advance(86_400_000);
  clock.unregister(work);
  expect(pausedInJump).toBeLessThan(200);
  expect(await invoke()).toBeGreaterThan(390);
});

test("a handler's error reaches the caller in Lambda's shape, and the log", async () => {
  const invoke = await running(
    "export const handler = () => { console.log('about to'); throw new RangeError('too far'); };",
  );
  await expect(invoke()).rejects.toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
  expect(log.slice(-2)).toMatchObject([
    { function: 'Fn', level: 'INFO', message: 'about to' },
    { function: 'Fn', level: 'ERROR', message: { errorType: 'RangeError', errorMessage: 'too far' } },
  ]);
});

test('a function that exceeds its timeout is ended, and the next call gets a new environment', async () => {
  const invoke = await running(
    'let calls = 0; export const handler = async (event) => { calls += 1; if (event.hang) for (;;) {} return calls; };',
    { Timeout: 1 },
  );
  expect(await invoke()).toBe(1);
  await expect(invoke({ hang: true })).rejects.toMatchObject({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringContaining('Task timed out after 1.00 seconds') as string,
  });
  expect(await invoke()).toBe(1);
});

test('a function that needs more heap than its memory fails only that call', async () => {
  const invoke = await running(
    `const kept = [];
    export const handler = (event) => { while (event.fill) kept.push(new Array(10_000).fill(0.5)); return 'alive'; };`,
    // A busy machine takes longer than three seconds to fill it.
    { MemorySize: 64, Timeout: 60 },
  );
  await expect(invoke({ fill: true })).rejects.toMatchObject({
    errorType: 'Runtime.ExitError',
    errorMessage: 'Runtime exited with error: signal: aborted',
  });
  expect(await invoke()).toBe('alive');
});

/** Answers after `event.wait` milliseconds, with how many events this environment has had. */
const COUNTING = `let calls = 0;
  export const handler = async (event) => { await new Promise((done) => setTimeout(done, event.wait ?? 0)); return (calls += 1); };`;

/** Starts functions that share a limit. Returns how to call each. */
async function sharing(names: readonly string[], limit: EnvironmentLimit) {
  functions = new Functions({ clock, endpoints: {}, log: () => {} }, limit);
  const resources = Object.fromEntries(names.map((name) => [name, lambda('fn.zip')]));
  await functions.update(template(resources, {}, { 'fn.zip': folderOf({ 'index.mjs': COUNTING }) }));
  return (name: string, event: unknown = {}) =>
    functions.invoke(ARN.replace(/Fn$/, name), event) as Promise<number>;
}

test('over the limit of all functions, the environment that has been idle longest makes room', async () => {
  const limit = new EnvironmentLimit({ most: 2 });
  const invoke = await sharing(['A', 'B', 'C'], limit);
  for (const name of ['A', 'B', 'A', 'C']) await invoke(name);
  expect(limit.size).toBe(2);
  expect([await invoke('A'), await invoke('B')]).toEqual([3, 1]);
});

test("the functions of CDK's custom resources are not run", async () => {
  functions = new Functions({
    clock,
    endpoints: {},
    log: () => {},
  });
  await functions.update(template({ Fn: lambda('none.zip', { Runtime: 'python3.13', Layers: ['x'] }) }));
  await expect(functions.invoke(ARN, {})).rejects.toMatchObject({ errorType: 'ResourceNotFoundException' });
});

test('a reloaded function runs the code in its folder, and what is running ends with the old code', async () => {
  const folder = folderOf({
    'index.mjs': `export const handler = ({ wait }) => new Promise((end) => setTimeout(end, wait ? 300 : 0, 'old'));`,
  });
  functions = new Functions({ clock, endpoints: {}, log: (line) => log.push(line) });
  await functions.update(template({ Fn: lambda('fn.zip') }, {}, { 'fn.zip': folder }));
  const invoke = (event: unknown = {}) => functions.invoke(ARN, event);
  expect(await invoke()).toBe('old');
  writeFileSync(path.join(folder, 'index.mjs'), `export const handler = () => 'new';`);
  functions.reload(new Set(['/another/folder']));
  expect(await invoke()).toBe('old');
  const unfinished = invoke({ wait: true });
  functions.reload(new Set([folder]));
  expect(await invoke()).toBe('new');
  expect(await unfinished).toBe('old');
  expect(await invoke()).toBe('new');
});
