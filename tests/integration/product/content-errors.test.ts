import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createServer } from 'vite';
import { developmentErrors } from '../../../infra/local/site/development-errors.ts';
import { product } from '../../../schemas/product/product.ts';
import { siteConfig } from '../../../web/vite.config.ts';
import { contentWith } from '../../fixtures/browser/site-with-content.ts';

const FAULT = 'articles/1-the-same-again.md: the field "id" is not right, because it is missing.';
/** A busy machine takes seconds to render the site again. */
const SOON = { timeout: 30_000 };

test('a broken content file is told on the page and once in the terminal, until it is repaired, and an added one is a page', async () => {
  const folder = contentWith({});
  const file = path.join(folder, 'articles/1-the-same-again.md');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^id:/m, 'idd:'));
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const http = createHttpServer();
  const invalidated = Promise.withResolvers<void>();
  const { customLogger, plugin } = developmentErrors({ unwatched: expect.unreachable });
  const vite = await createServer({
    ...siteConfig(folder),
    configFile: false,
    cacheDir: path.join(tmpdir(), 'vite'),
    customLogger,
    server: { middlewareMode: true, ws: { server: http } },
    plugins: [
      plugin,
      ...(siteConfig(folder).plugins ?? []),
      // Vite follows the change only after the page was read again.
      { name: 'late', watchChange: () => invalidated.promise },
    ],
  });
  http.on('request', vite.middlewares);
  await new Promise<void>((listening) => http.listen(0, listening));
  const origin = `localhost:${(http.address() as AddressInfo).port}`;
  const get = (address: string) => fetch(`http://${origin}${address}`, { headers: { accept: 'text/html' } });
  try {
    for (const address of ['/', '/pricing', '/articles', '/']) {
      const page = await get(address);
      expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(FAULT.replaceAll('"', '&quot;'));
    }
    expect(printed.mock.calls.flat().filter((line) => String(line).includes(FAULT))).toHaveLength(1);
    expect(printed.mock.calls.flat().join('\n')).not.toMatch(/^\s+at /m);
    const plain = await fetch(`http://${origin}/robots.txt`);
    expect([plain.status, await plain.text()]).toEqual([500, FAULT]);

    const client = await (await fetch(`http://${origin}/@vite/client`)).text();
    const token = /const wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
    const socket = new WebSocket(`ws://${origin}/?token=${token}`, 'vite-hmr');
    const received: string[] = [];
    socket.addEventListener('message', ({ data }) => received.push(String(data)));
    await vi.waitFor(() => expect(received.join()).toContain('"connected"'));
    writeFileSync(file, text);
    await vi.waitFor(() => expect(received.join()).toContain('"full-reload"'));
    socket.close();
    expect((await get('/')).status).toBe(200);

    invalidated.resolve();
    const added = path.join(folder, 'articles/77-added.md');
    writeFileSync(added, text.replace(/^id:.*/m, 'id: 77').replace(/^title:.*/m, 'title: Added'));
    const page = async () => (await get('/articles/77')).text();
    await expect.poll(page, SOON).toContain(`<title>Added · ${product.name}</title>`);
    rmSync(added);
    await expect.poll(page, SOON).not.toContain('<title>Added');
  } finally {
    invalidated.resolve();
    printed.mockRestore();
    await vite.close();
    http.close();
  }
});
