import type { Plugin, Rolldown } from 'vite';
import type { Page } from './src/pages.ts';

// Where index.html takes what differs from page to page.
const PLACE = '<!--page-->';

/**
 * Writes one HTML file per page, with the page's own title and description: `/checkout/return` becomes
 * `checkout/return.html`, the home page `index.html`, the page for unknown addresses `404.html`. Each names the page's own
 * script and styles too, so that they load beside the entry instead of after it. The development server
 * fills the same place for whatever address is asked for.
 */
export function htmlPerPage({
  pages,
  notFound,
}: {
  pages: readonly Page[];
  notFound: Omit<Page, 'path'>;
}): Plugin {
  return {
    name: 'html-per-page',
    enforce: 'post',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { server, originalUrl }) {
        if (!server) return html;
        const path = new URL(originalUrl ?? '/', 'http://localhost').pathname;
        return html.replace(PLACE, () => head(pages.find((page) => page.path === path) ?? notFound));
      },
    },
    generateBundle(_options, bundle) {
      const shell = bundle['index.html'];
      if (shell?.type !== 'asset') throw new Error('The build has no index.html to write the pages from.');
      const html = shell.source.toString();
      if (!html.includes(PLACE)) throw new Error(`index.html has no ${PLACE}.`);
      const written = (page: Omit<Page, 'path'>) =>
        html
          .replace(PLACE, () => head(page))
          // Last, so that a page's styles stand after those of the whole site.
          .replace(
            '  </head>',
            (end) =>
              preloads(page, bundle, html)
                .map((link) => `    ${link}\n`)
                .join('') + end,
          );
      shell.source = html;
      for (const page of pages) {
        if (page.path === '/') continue;
        this.emitFile({ type: 'asset', fileName: `${page.path.slice(1)}.html`, source: written(page) });
      }
      this.emitFile({ type: 'asset', fileName: '404.html', source: written(notFound) });
      const home = pages.find((page) => page.path === '/');
      if (home) shell.source = written(home);
    },
  };
}

function head(page: Omit<Page, 'path'>): string {
  return [
    `<title>${escaped(page.title)}</title>`,
    `<meta name="description" content="${escaped(page.description)}" />`,
    ...(page.listed ? [] : ['<meta name="robots" content="noindex" />']),
  ].join('\n    ');
}

/** Links to the scripts and styles the page needs before it can show, beyond those the shell names. */
function preloads(page: Omit<Page, 'path'>, bundle: Rolldown.OutputBundle, shell: string): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const own = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/src/routes/${page.module}`));
  if (!own) throw new Error(`No script came out of the build for ${page.module}.`);
  const needed = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk) => {
    if (needed.has(chunk)) return;
    needed.add(chunk);
    for (const chunkOf of chunks) if (chunk.imports.includes(chunkOf.fileName)) visit(chunkOf);
  };
  visit(own);
  const scripts = [...needed].map((chunk) => chunk.fileName);
  const styles = [...needed].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return [
    ...scripts.map((file) => ({
      file,
      link: `<link rel="modulepreload" crossorigin href="/${file}" />`,
    })),
    ...[...new Set(styles)].map((file) => ({
      file,
      link: `<link rel="stylesheet" crossorigin href="/${file}" />`,
    })),
  ]
    .filter(({ file }) => !shell.includes(`/${file}"`))
    .map(({ link }) => link);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
