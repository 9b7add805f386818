import path from 'node:path';
import type { Connect } from 'vite';

const types: Record<string, string> = {
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml',
};

/** Serves the text files of a build in development, with their current content. */
export function answerFiles(middlewares: Connect.Server, files: () => Promise<Record<string, string>>): void {
  middlewares.use((request, response, next) => {
    const name = fileNameIn(request.url);
    const type = types[path.extname(name)];
    if (type === undefined) return next();
    void files().then((all) => {
      const text = Object.hasOwn(all, name) ? all[name] : undefined;
      if (text === undefined) return next();
      response.setHeader('content-type', `${type}; charset=utf-8`);
      return response.end(text);
    }, next);
  });
}

/** Answers 404 for a missing file, where Vite would serve the home page. */
export function refuseMissingFiles(middlewares: Connect.Server): void {
  middlewares.use((request, response, next) => {
    const name = fileNameIn(request.originalUrl);
    if (path.extname(name) === '' || name.endsWith('.html')) return next();
    response.statusCode = 404;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    return response.end('There is no such file.');
  });
}

const fileNameIn = (url = '/'): string => url.replace(/[?#].*/s, '').slice(1);
