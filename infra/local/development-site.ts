import type { Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevelopmentSite } from './aws/cloudfront/distribution.ts';

const configFile = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));

/** The site being worked on: Vite's development server, over the world's own HTTP server. */
export async function developmentSite({
  server,
  port,
  dataDir,
  scriptSource,
}: {
  server: Server;
  port: number;
  dataDir: string;
  /** Of the script that stands first in every page's head. */
  scriptSource: string;
}): Promise<DevelopmentSite & { close(): Promise<void> }> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile,
    // One cache a world: two of them would throw each other's away.
    cacheDir: path.join(dataDir, 'vite'),
    clearScreen: false,
    server: { middlewareMode: true, ws: { server } },
    plugins: [
      {
        name: 'local-world',
        transformIndexHtml: {
          order: 'post',
          handler: () => [{ tag: 'script', attrs: { src: scriptSource }, injectTo: 'head-prepend' }],
        },
      },
    ],
  });
  return {
    socketOrigin: `ws://localhost:${port}`,
    serve: (request, response) => vite.middlewares(request, response),
    close: () => vite.close(),
  };
}

/** Builds the site as it is deployed and returns its folder: `outDir`, or the one that is deployed from. */
export async function buildSite(outDir?: string): Promise<string> {
  const { build, resolveConfig } = await import('vite');
  const config = { configFile, logLevel: 'warn' as const, ...(outDir && { build: { outDir } }) };
  await build(config);
  const { root, build: settings } = await resolveConfig(config, 'build');
  return path.resolve(root, settings.outDir);
}
