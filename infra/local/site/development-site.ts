import type { Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevelopmentSite } from '../aws/cloudfront/origin.ts';

const configFile = fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url));

/** Vite's development server, on the world's own HTTP server. Requests wait until it is `ready`. */
export function developmentSite({
  server,
  port,
  dataDir,
  scriptSource,
  unwatched,
}: {
  server: Server;
  port: number;
  dataDir: string;
  /** The address of the first script in every page. */
  scriptSource: string;
  /** Called for each file whose changes won't be noticed. */
  unwatched: (message: string) => void;
}): DevelopmentSite & { ready: Promise<unknown>; close(): Promise<void> } {
  const starting = Promise.all([import('vite'), import('./development-errors.ts')]).then(
    ([{ createServer }, { developmentErrors }]) => {
      const { customLogger, plugin } = developmentErrors({ unwatched });
      return createServer({
        configFile,
        // Node's own loader, with its compile cache. The default loader bundles everything that the
        // configuration imports at each start, and warns about packages that only a build needs.
        configLoader: 'native',
        // A cache for each world: two worlds would overwrite a shared cache.
        cacheDir: path.join(dataDir, 'vite'),
        clearScreen: false,
        customLogger,
        server: {
          middlewareMode: true,
          ws: { server },
          // No other page needs the sources.
          cors: false,
          // The first ones are Vite's own. The data folder has the local users.
          fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', `${path.resolve(dataDir)}/**`] },
        },
        plugins: [
          plugin,
          {
            name: 'local-world',
            transformIndexHtml: {
              order: 'post',
              handler: () => [{ tag: 'script', attrs: { src: scriptSource }, injectTo: 'head-prepend' }],
            },
          },
        ],
      });
    },
  );
  // The promise is awaited later, so an early failure must not count as unhandled.
  starting.catch(() => {});
  return {
    socketOrigin: `ws://localhost:${port}`,
    ready: starting,
    serve: (request, response) => void starting.then((vite) => vite.middlewares(request, response)),
    close: () =>
      starting.then(
        (vite) => vite.close(),
        () => {},
      ),
  };
}

/** Builds the site for deployment. Returns its folder: `outDir`, or the folder that `cdk deploy` uploads. */
export async function buildSite(outDir?: string): Promise<string> {
  const { build, resolveConfig } = await import('vite');
  const config = { configFile, logLevel: 'warn' as const, ...(outDir && { build: { outDir } }) };
  await build(config);
  const { root, build: settings } = await resolveConfig(config, 'build');
  return path.resolve(root, settings.outDir);
}
