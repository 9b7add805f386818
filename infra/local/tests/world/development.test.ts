import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { type StackWatch, watchStack } from '../../stack/reload.ts';
import { synthesizeStaging } from '../../stack/synthesis.ts';
import type { RunningWorld } from '../../world/running-world.ts';
import { startWorld } from '../../world/world.ts';
import { distribution, folderOf, synthesized, temporaryFolder } from '../fixtures/local-stack.ts';
import { poolProperties } from '../../in-process/cognito.ts';

const PORT = 4270;
let world: RunningWorld | undefined;
const watchers: StackWatch[] = [];
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((watcher) => watcher.close()));
  await world?.stop();
  world = undefined;
});

test("in development Vite answers in place of the bucket, with the distribution's headers", async () => {
  const resources = distribution({
    api: false,
    pages: { ResponseHeadersPolicyId: { Ref: 'Headers' } },
  });
  // In the checkout, as the default folder is: Vite serves all of it on request.
  mkdirSync('node_modules/.cache', { recursive: true });
  const dataDir = mkdtempSync(path.resolve('node_modules/.cache/data-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  world = await startWorld({
    port: PORT,
    dataDir,
    site: { kind: 'development' },
    synthesized: synthesized(
      {
        ...resources,
        Headers: {
          Type: 'AWS::CloudFront::ResponseHeadersPolicy',
          Properties: {
            ResponseHeadersPolicyConfig: {
              SecurityHeadersConfig: {
                ContentSecurityPolicy: {
                  ContentSecurityPolicy: "default-src 'self'; script-src 'self' 'sha256-x'",
                  Override: true,
                },
              },
            },
          },
        },
        Pool: { Type: 'AWS::Cognito::UserPool', Properties: poolProperties },
        Config: {
          Type: 'Custom::CDKBucketDeployment',
          Properties: {
            DestinationBucketName: { Ref: 'Bucket' },
            SourceObjectKeys: ['config.zip'],
            SourceMarkers: [{ '<<pool>>': { Ref: 'Pool' } }],
          },
        },
      },
      {
        'site.zip': folderOf({ 'index.html': 'built' }),
        'config.zip': folderOf({
          'config.json':
            '{"pool":"<<pool>>","endpoint":"https://cognito-idp.us-east-1.amazonaws.com","key":"pk_test_x"}',
        }),
      },
    ),
  });
  const get = (address: string, accept = 'text/html') =>
    fetch(`${world?.origin}${address}`, { headers: { accept } });

  const page = await get('/pricing');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("script-src 'self' 'unsafe-inline'");
  expect(policy).not.toContain('sha256');
  expect(policy).toContain(`connect-src 'self' ws://localhost:${PORT}`);
  expect(await page.text()).toMatch(/<head>\s*<script src="\/__local\/browser\.js"><\/script>/);
  expect(await (await get('/src/app/main.tsx', '*/*')).text()).toContain('import');
  expect(await (await get('/config.json', '*/*')).json()).toEqual({
    pool: expect.stringMatching(/^us-east-1_/) as string,
    endpoint: `http://localhost:${PORT + 1}`,
    key: 'pk_test_local',
  });

  // The text files of a build, and 404 for other files.
  const robots = await get('/robots.txt', '*/*');
  expect([await robots.text(), robots.headers.get('content-type')]).toEqual([
    expect.stringContaining('User-agent: *'),
    'text/plain; charset=utf-8',
  ]);
  expect((await get('/missing.txt')).status).toBe(404);

  // Sources are for this site's pages alone, and the local users' data for no page.
  const source = `/@fs${path.resolve('web/src/app/main.tsx')}?raw`;
  expect((await get(source, '*/*')).status).toBe(200);
  expect((await get(`/@fs${dataDir}/world.db?raw`, '*/*')).status).toBe(403);
  const elsewhere = { origin: 'http://localhost:9999' };
  const { headers } = await fetch(`${world?.origin}${source}`, { headers: elsewhere });
  expect(headers.get('access-control-allow-origin')).toBeNull();

  // The socket of hot reload, on the site's port.
  const client = await (await get('/@vite/client', '*/*')).text();
  const token = /const wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  const socket = new WebSocket(`ws://localhost:${PORT}/?token=${token}`, 'vite-hmr');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.addEventListener('message', ({ data }) => resolve(String(data)));
  socket.addEventListener('error', () => reject(new Error('The socket was refused.')));
  expect(JSON.parse(await promise)).toEqual({ type: 'connected' });
  socket.close();

  // Other protocols are answered in HTTP.
  for (const [target, protocol] of [
    ['/robots.txt', 'h2c'],
    ['/', 'websocket'],
    ['/%zz', 'websocket\r\nsec-websocket-protocol: vite-hmr'],
    ['*', 'websocket\r\nsec-websocket-protocol: vite-hmr'],
  ]) {
    const upgrade = `connection: upgrade, close\r\nupgrade: ${protocol}`;
    const bytes = `GET ${target} HTTP/1.1\r\nhost: localhost:${PORT}\r\n${upgrade}\r\n\r\n`;
    const connection = connect(PORT, '127.0.0.1');
    connection.write(bytes);
    expect([target, await text(connection)]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 [1-4]/)]);
  }
});

/** A watched checkout. `calls` are what the watch has told, each with its end. */
async function watchedCheckout() {
  const root = temporaryFolder();
  for (const folder of ['functions/api', 'schemas', 'infra/constructs', 'infra/local']) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
  writeFileSync(path.join(root, 'functions/api/plan.ts'), 'first');
  const calls: { files: string[]; end: () => void }[] = [];
  const watcher = watchStack(root, {
    changed: (files) => {
      const names = [...files].map((file) => path.relative(root, file)).toSorted();
      return new Promise((end) => calls.push({ files: names, end }));
    },
    failed: expect.unreachable,
  });
  watchers.push(watcher);
  await watcher.ready;
  return { root, calls };
}

test("a change of the stack's sources makes one call, and a change during that call makes one more", async () => {
  const { root, calls } = await watchedCheckout();
  const write = (file: string) => writeFileSync(path.join(root, file), String(calls.length));
  write('functions/api/plan.ts');
  write('schemas/api.ts');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  write('infra/stack.ts');
  write('functions/readme.md');
  write('infra/local/start.ts');
  // The second call waits for the first. Longer than the watcher waits for more changes.
  await new Promise((done) => setTimeout(done, 400));
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  calls[1]?.end();
  expect(calls.map(({ files }) => files)).toEqual([
    ['functions/api/plan.ts', 'schemas/api.ts'],
    ['infra/stack.ts'],
  ]);
});

test('a file that is replaced by a rename is noticed each time, and so is a folder', async () => {
  const { root, calls } = await watchedCheckout();
  const file = path.join(root, 'functions/api/plan.ts');
  const expectChange = async (...files: string[]) => {
    // A removed file is reported later, since a file of this name may return.
    await vi.waitFor(() => {
      for (const { end } of calls) end();
      expect(new Set(calls.flatMap((call) => call.files))).toEqual(new Set(files));
    });
    // Longer than the watcher waits, so that the next call is of the next change.
    await new Promise((done) => setTimeout(done, 200));
    for (const { end } of calls.splice(0)) end();
  };
  for (const time of [1, 2, 3]) {
    // As Git, `sed -i` and many editors save.
    writeFileSync(`${file}.part`, `rename ${time}`);
    renameSync(`${file}.part`, file);
    await expectChange('functions/api/plan.ts');
  }
  for (const time of [1, 2]) {
    // As JetBrains's editors save.
    writeFileSync(`${file}.new`, `exchange ${time}`);
    renameSync(file, `${file}.old`);
    renameSync(`${file}.new`, file);
    await expectChange('functions/api/plan.ts');
  }
  renameSync(path.dirname(file), path.join(root, 'functions/routes'));
  await expectChange('functions/api/plan.ts', 'functions/routes/plan.ts');
  writeFileSync(path.join(root, 'functions/routes/plan.ts'), 'last');
  await expectChange('functions/routes/plan.ts');
});

test('a stack that cannot be synthesized is refused with one sentence', async () => {
  await expect(
    synthesizeStaging({ outdir: temporaryFolder(), site: '/nowhere/at/all' }),
  ).rejects.toMatchObject({
    name: 'StartFailure',
    message: 'The stack could not be synthesized: There is no built site at /nowhere/at/all.',
  });
});
