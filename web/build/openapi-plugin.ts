import type { Plugin } from 'vite';
import { openApiDocument } from './openapi.ts';

const FILE = 'openapi.json';

/** Writes `/openapi.json` in a build, and serves it in development. */
export function openApi(): Plugin {
  return {
    name: 'openapi',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: textOf(openApiDocument()) });
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_request, response, next) => {
        // Loaded by Vite, so that a change of the schemas takes effect.
        server
          .ssrLoadModule('/build/openapi.ts')
          .then((module) => {
            const { openApiDocument: latest } = module as { openApiDocument: typeof openApiDocument };
            response.setHeader('content-type', 'application/json');
            response.end(textOf(latest()));
          })
          .catch(next);
      });
    },
  };
}

const textOf = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
