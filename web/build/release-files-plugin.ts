import type { Plugin } from 'vite';
import { contentFolder, readChangelog } from './content.ts';
import { releaseFiles } from './releases.ts';

/** Writes the release feed and the changelog's RSS in a build, and serves them in development. */
export function releaseFilesPlugin(folder = contentFolder): Plugin {
  return {
    name: 'release-files',
    generateBundle() {
      for (const [path, source] of releaseFiles(readChangelog(folder))) {
        this.emitFile({ type: 'asset', fileName: path.slice(1), source });
      }
    },
    configureServer(server) {
      server.middlewares.use(({ url = '' }, response, next) => {
        const { pathname } = new URL(url, 'http://localhost');
        const text = releaseFiles(readChangelog(folder)).get(pathname);
        if (text === undefined) return next();
        const type = pathname.endsWith('.json') ? 'application/json' : 'application/xml';
        response.setHeader('content-type', type);
        response.end(text);
      });
    },
  };
}
