import type { ServerResponse } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { type Connect, createLogger, type Logger, type LogErrorOptions, type Plugin } from 'vite';
import { document, html } from '../base/html.ts';
import { sentenceOf } from '../base/start-failure.ts';

/** Prints Vite's errors once and shows them as the page. `unwatched` is called for each unwatchable file. */
export function developmentErrors({ unwatched }: { unwatched: (message: string) => void }): {
  customLogger: Logger;
  plugin: Plugin;
} {
  const logger = createLogger();
  const printed = new Set<string>();
  return {
    customLogger: {
      ...logger,
      // Every request fails with the error until a file changes.
      error: (text, options) => {
        const [, watched] = /^file watcher error: (.*)/.exec(stripVTControlCharacters(text)) ?? [];
        if (watched !== undefined) return unwatched(watched);
        const message = options?.error?.message ?? text;
        if (printed.has(message)) return;
        printed.add(message);
        logger.error(isSentence(options?.error) ? message : text, options);
      },
    },
    plugin: {
      name: 'development-errors',
      configureServer({ middlewares, watcher, environments }) {
        let isShown = false;
        watcher.on('all', () => {
          printed.clear();
          if (!isShown) return;
          isShown = false;
          // Vite invalidates the changed modules later, when the page may already have been read again.
          for (const { moduleGraph } of Object.values(environments)) moduleGraph.invalidateAll();
          environments['client']?.hot.send({ type: 'full-reload' });
        });
        const answer: Connect.ErrorHandleFunction = (error: unknown, request, response, next) => {
          const isPage = (request.headers.accept ?? '').includes('text/html');
          isShown ||= isPage;
          if (!response.headersSent) respond(response, sentenceOf(error), isPage);
          next(error);
        };
        // Runs before the last handler, Vite's own, which is added right after this hook. Vite's handler
        // prints the error and shows it over open pages, but doesn't answer, because Vite is part of another
        // server here.
        return () => queueMicrotask(() => middlewares.stack.splice(-1, 0, { route: '', handle: answer }));
      },
    },
  };
}

/** Whether the message is enough for a person who writes content. Other errors need the stack. */
const isSentence = (error: LogErrorOptions['error']): boolean => error?.name === 'ContentFault';

function respond(response: ServerResponse, sentence: string, isPage: boolean): void {
  response.statusCode = 500;
  response.setHeader('content-type', `text/${isPage ? 'html' : 'plain'}; charset=utf-8`);
  response.setHeader('cache-control', 'no-store');
  response.end(isPage ? pageOf(sentence) : sentence);
}

const pageOf = (sentence: string): string =>
  document({
    title: 'The page cannot be shown',
    // Reloads the page when a file has changed.
    head: html`<script type="module" src="/@vite/client"></script>`,
    body: html`<h1>The page cannot be shown</h1>
      <p>${sentence}</p>`,
  });
