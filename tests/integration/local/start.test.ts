import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/local-stack.ts';

const PORT = 4260;
const script = fileURLToPath(new URL('../../../infra/local/start.ts', import.meta.url));
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

async function occupied(port: number, host: string): Promise<void> {
  const server = createServer();
  await once(server.listen(port, host), 'listening');
  ends.push(() => server.close());
}

const sentence = expect.stringMatching(/^[^\n]+\.\n$/) as string;

test.each([
  ['the site', PORT, '127.0.0.1'],
  ['Cognito', PORT + 1, '127.0.0.1'],
  ['Stripe, on the other address of localhost', PORT + 2, '::1'],
])('a taken port of %s ends the start with one sentence', async (_, port, host) => {
  await occupied(port, host);
  const { code, errors } = await starting().ended;
  expect([code, errors]).toEqual([1, sentence]);
  expect(errors).toContain(`Port ${port} is taken`);
});

test.each([
  ['a port that is no number', { variables: { PORT: 'abc' } }, 'PORT is abc'],
  ['a port that leaves no room', { variables: { PORT: '65534' } }, 'PORT is 65534'],
  ['an unknown option', { flags: ['--frsh'] }, '--fresh begins empty'],
  ['a live key of Stripe', { variables: { STRIPE_SECRET_KEY: 'sk_live_x' } }, 'is a live key'],
])('%s ends the start with one sentence', async (_, options, part) => {
  const { code, errors } = await starting(options).ended;
  expect([code, errors]).toEqual([1, sentence]);
  expect(errors).toContain(part);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 0],
] as const)('%s ends the world at once, without leaving a process', async (signal, expected) => {
  const { child, dataDir, ended } = starting();
  const pidFile = path.join(dataDir, 'dynamodb.pid');
  const pid = await vi.waitFor(
    () => {
      const number = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
      expect(number).toBeGreaterThan(0);
      return number;
    },
    { timeout: 60_000 },
  );
  child.kill(signal);
  expect((await ended).code).toBe(expected);
  await vi.waitFor(() => expect(commandOf(pid)).toBe(''));
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
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
  await occupied(PORT, '127.0.0.1');
});
