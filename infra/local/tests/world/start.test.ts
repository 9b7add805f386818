import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../fixtures/local-stack.ts';

const PORT = 4260;
const script = fileURLToPath(new URL('../../start.ts', import.meta.url));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function starting({
  variables = {},
  flags = [],
  dataDir = temporaryFolder(),
}: { variables?: Record<string, string>; flags?: string[]; dataDir?: string } = {}) {
  const child = spawn(process.execPath, [script, ...flags], {
    env: { PATH: process.env['PATH'], PORT: String(PORT), LOCAL_DATA: dataDir, ...variables },
  });
  ends.push(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  return { child, dataDir, ended };
}

test('an option that can not be used ends the start with one sentence', async () => {
  const { code, errors } = await starting({ variables: { SELFSAME_PORT: '65533' } }).ended;
  expect(code).toBe(1);
  expect(errors).toMatch(/^SELFSAME_PORT is 65533[^\n]+\.\n$/);
});

test('a taken port ends the start with one sentence', async () => {
  const other = createServer();
  await once(other.listen(PORT + 3, '127.0.0.1'), 'listening');
  ends.push(() => other.close());
  const { code, errors } = await starting().ended;
  expect(code).toBe(1);
  expect(errors).toMatch(/^Port 4263 \(the identity providers\) is in use[^\n]+\.\n$/);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 0],
  ['SIGHUP', 0],
  ['SIGKILL', null],
] as const)('%s ends the world at once, without leaving a process', async (signal, expected) => {
  const { child, dataDir, ended } = starting();
  const pidFile = path.join(dataDir, 'dynamodb.pid');
  const engine = await vi.waitFor(
    () => {
      const number = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
      expect(number).toBeGreaterThan(0);
      return number;
    },
    { timeout: 60_000 },
  );
  expect(processesOf(dataDir).includes(engine)).toBe(existsSync('/proc'));
  child.kill(signal);
  expect((await ended).code).toBe(expected);
  await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), { timeout: 10_000 });
});

/** The ids of processes that have inherited the variable with this folder. Linux only. */
function processesOf(dataDir: string): number[] {
  const variable = `LOCAL_DATA=${dataDir}\0`;
  return (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => contentOf(`/proc/${name}/environ`).includes(variable))
    .map(Number);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
}

test('a world whose parent was killed ends and frees its folder and its ports', async () => {
  const dataDir = temporaryFolder();
  const start = `"${process.execPath}" "${script}" & echo pid $!; wait`;
  const parent = spawn('sh', ['-c', start], {
    env: { PATH: process.env['PATH'], PORT: String(PORT), LOCAL_DATA: dataDir },
  });
  ends.push(() => parent.kill('SIGKILL'));
  let output = '';
  parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(() => expect(output).toContain('/__local'), { timeout: 60_000 });
  const pid = Number(/pid (\d+)/.exec(output)?.[1]);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
  const next = createServer();
  await once(next.listen(PORT, '127.0.0.1'), 'listening');
  next.close();
});
