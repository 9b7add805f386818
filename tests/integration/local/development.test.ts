import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { watchStack } from '../../../infra/local/stack/reload.ts';
import { synthesiseStaging } from '../../../infra/local/stack/synthesis.ts';
import type { RunningWorld } from '../../../infra/local/running-world.ts';
import { startWorld } from '../../../infra/local/world.ts';
import { distribution, folderOf, synthesised, temporaryFolder } from '../../fixtures/local-stack.ts';
import { sendRaw } from '../../fixtures/raw-http.ts';

const PORT = 4270;
let world: RunningWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

test("in development Vite answers in place of the bucket, with the distribution's headers", async () => {
  const resources = distribution({
    api: false,
    pages: { ResponseHeadersPolicyId: { Ref: 'Headers' } },
  });
  world = await startWorld({
    port: PORT,
    dataDir: temporaryFolder(),
    site: { kind: 'development' },
    synthesised: synthesised(
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
        Pool: { Type: 'AWS::Cognito::UserPool', Properties: { UsernameAttributes: ['email'] } },
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
  expect(await (await get('/src/start/main.tsx', '*/*')).text()).toContain('import');
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
  expect((await get('/articles/1.md', '*/*')).status).toBe(200);
  expect((await get('/missing.txt')).status).toBe(404);

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
    const outcome = await sendRaw({ port: PORT }, { bytes, complete: true });
    expect([target, outcome]).toEqual([target, { kind: 'answered', status: expect.any(Number) }]);
    expect(outcome.kind === 'answered' && outcome.status).toBeLessThan(500);
  }
});

test("a change of the stack's sources makes one call, and a change during that call makes one more", async () => {
  const root = temporaryFolder();
  for (const folder of ['functions/api', 'schemas', 'infra/constructs']) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
  const calls: { files: string[]; end: () => void }[] = [];
  const watcher = watchStack(root, (files) => {
    const names = [...files].map((file) => path.relative(root, file)).toSorted();
    return new Promise((end) => calls.push({ files: names, end }));
  });
  const write = (file: string) => writeFileSync(path.join(root, file), String(calls.length));
  try {
    write('functions/api/plan.ts');
    write('schemas/api.ts');
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    write('infra/stack.ts');
    write('functions/readme.md');
    // The second call waits for the first. Longer than the watcher waits for more changes.
    await new Promise((done) => setTimeout(done, 400));
    expect(calls).toHaveLength(1);
    calls[0]?.end();
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    calls[1]?.end();
  } finally {
    watcher.close();
  }
  expect(calls.map(({ files }) => files)).toEqual([
    ['functions/api/plan.ts', 'schemas/api.ts'],
    ['infra/stack.ts'],
  ]);
});

test('a stack that cannot be synthesised is refused with one sentence', async () => {
  await expect(
    synthesiseStaging({ outdir: temporaryFolder(), site: '/nowhere/at/all' }),
  ).rejects.toMatchObject({
    name: 'StartFailure',
    message: 'The stack could not be synthesised: There is no built site at /nowhere/at/all.',
  });
});
