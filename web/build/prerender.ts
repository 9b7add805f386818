import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundleScript } from 'esbuild';
import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { weigh, weightTable } from './bundle-budget.ts';
import { contentFolder, readArticles, readFaq } from './content.ts';
import { articleMarkdown, llmsText, robots, rss, RSS_PATH, shortTitle, sitemap } from './discovery.ts';
import { filesOf } from './page-files.ts';
import { pageHead } from './page-head.ts';
import { socialImage } from './social-image.ts';
import { type DescribedPage, isShell, type RenderedSite } from '../src/app/page.ts';
import { structuredDataOf } from './structured-data.ts';

// Where index.html takes what differs from page to page.
const PLACE = '<!--page-->';
const ROOT = '<div id="root"></div>';
const NEEDS_SCRIPT = '<noscript>This page needs JavaScript to show you anything.</noscript>';

const ROOT_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const SERVER_ENTRY = fileURLToPath(new URL('../src/start/entry-server.tsx', import.meta.url));
const FIRST_SCRIPT = fileURLToPath(new URL('../src/start/first.ts', import.meta.url));

interface WrittenPage {
  page: Omit<DescribedPage, 'path'>;
  /** For the page at no address of its own, one that is nobody's. */
  path: string;
  fileName: string;
}

/**
 * Writes every page of `src/app/pages.ts` as it reads: `/checkout/return` becomes `checkout/return.html`, the home page
 * `index.html`, the page for unknown addresses `404.html`. Its styles stand in it and its scripts come
 * later. Beside the pages it writes what machines read of them: the sitemap, robots.txt, the feed, llms.txt, articles as
 * Markdown and the pictures shown where a page is shared. What a page weighs too much fails the build.
 *
 * `plugins`: what the site's modules need to be read, made anew for each build. `folder`: the content they read.
 */
export function prerender(plugins: () => PluginOption[], folder = contentFolder): Plugin {
  return {
    name: 'prerender',
    enforce: 'post',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server, originalUrl }) {
        if (!server) return html;
        const pathname = new URL(originalUrl ?? '/', 'http://localhost').pathname;
        const { described } = (await server.ssrLoadModule('/src/app/page-descriptions.ts')) as {
          described: Pick<RenderedSite, 'pages' | 'notFound'>;
        };
        const page = described.pages.find(({ path }) => path === pathname) ?? described.notFound;
        return html.replace(PLACE, () => pageHead({ page, path: undefined }));
      },
    },
    async generateBundle(_options, bundle) {
      const shell = bundle['index.html'];
      if (shell?.type !== 'asset') throw new Error('The build has no index.html to write the pages from.');
      const frame = frameOf(shell.source.toString());
      const articles = readArticles(folder);
      const content = { articles, faq: readFaq(folder) };
      const [{ site, close }, first] = await Promise.all([loadSite(plugins()), firstScript()]);
      try {
        const emit = (fileName: string, text: string | Uint8Array) =>
          void this.emitFile({ type: 'asset', fileName, source: text });
        const written = await Promise.all(
          pagesOf(site).map(async ({ page, path, fileName }) => {
            const image = page.listed ? await imageOf(page, emit) : undefined;
            const head = pageHead({
              page,
              path: path === NOWHERE ? undefined : path,
              image,
              structuredData: structuredDataOf(path, content),
            });
            const body = await site.render(path);
            const html = frame({ page, path, head, body, first, bundle });
            return { page, path, fileName, html };
          }),
        );
        for (const { fileName, html } of written) {
          if (fileName === 'index.html') shell.source = html;
          else emit(fileName, html);
        }
        emit('sitemap.xml', sitemap(site.pages, articles));
        emit('robots.txt', robots());
        emit('llms.txt', llmsText(site.pages, articles));
        emit(RSS_PATH.slice(1), rss(articles));
        for (const article of articles) emit(`articles/${article.id}.md`, articleMarkdown(article));

        const { weights, faults } = weigh(bundle, written);
        this.environment.logger.info(weightTable(weights));
        if (faults.length > 0) this.error(faults.join('\n'));
      } finally {
        await close();
      }
    },
  };
}

const NOWHERE = '/404';

const pagesOf = ({ pages, notFound }: RenderedSite): WrittenPage[] => [
  ...pages.map((page) => ({
    page,
    path: page.path,
    fileName: page.path === '/' ? 'index.html' : `${page.path.slice(1)}.html`,
  })),
  { page: notFound, path: NOWHERE, fileName: '404.html' },
];

/** Builds the site a second time, for Node, and loads it. */
async function loadSite(
  plugins: PluginOption[],
): Promise<{ site: RenderedSite; close: () => Promise<void> }> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'selfsame-render-'));
  const close = () => rm(outDir, { recursive: true, force: true });
  try {
    await build({
      configFile: false,
      root: ROOT_FOLDER,
      logLevel: 'warn',
      publicDir: false,
      plugins,
      // From where it is written to, Node would find no packages.
      ssr: { noExternal: true },
      build: {
        ssr: SERVER_ENTRY,
        outDir,
        emptyOutDir: true,
        minify: false,
        // Account pages are never rendered, so what they alone use isn't read.
        rolldownOptions: {
          external: [/^(aws-amplify|@aws-amplify|@stripe)\b/],
          // Nothing near says that these are modules.
          output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    });
    const entry = pathToFileURL(path.join(outDir, 'entry-server.mjs'));
    const { site } = (await import(entry.href)) as { site: RenderedSite };
    return { site, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The script that stands in every page's head, as text. */
async function firstScript(): Promise<string> {
  const { outputFiles } = await bundleScript({
    entryPoints: [FIRST_SCRIPT],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? '';
}

interface Parts {
  page: Omit<DescribedPage, 'path'>;
  path: string;
  head: string;
  body: string;
  first: string;
  bundle: Rolldown.OutputBundle;
}

/** Takes apart the index.html that Vite has made, and gives what puts a page together from it. */
function frameOf(built: string): (parts: Parts) => string {
  const html = built
    .replaceAll(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replaceAll(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '')
    .replace(`\n    ${NEEDS_SCRIPT}`, '');
  for (const part of [PLACE, ROOT]) if (!html.includes(part)) throw new Error(`index.html has no ${part}.`);
  return ({ page, path, head, body, first, bundle }) => {
    const shell = isShell(page);
    // A shell's page comes after the frame, and with it what it needs.
    const { scripts, styles } = filesOf(bundle, page.module);
    const [application = '', ...parts] = scripts.map((file) => `/${file}`);
    const attributes = `data-application="${application}" data-parts="${parts.join(' ')}"${shell ? ' data-now' : ''}`;
    const style = styles.map((file) => styleOf(file, bundle, shell)).join('\n    ');
    return html
      .replace(PLACE, () => head)
      .replace('</head>', () => `  ${style}\n    <script ${attributes}>${first}</script>\n  </head>`)
      .replace(
        ROOT,
        () => `${shell ? `${NEEDS_SCRIPT}\n    ` : ''}<div id="root" data-path="${path}">${body}</div>`,
      );
  };
}

/**
 * A stylesheet within the page. The link, which a browser doesn't follow while it is disabled, tells Vite's loader that what
 * it would fetch is here.
 */
function styleOf(file: string, bundle: Rolldown.OutputBundle, shell: boolean): string {
  const asset = bundle[file];
  if (asset?.type !== 'asset') throw new Error(`The build has no ${file}.`);
  // Forms come with ten times the styles of a page: those are worth a file that is kept.
  const link = (attributes: string) => `<link rel="stylesheet" crossorigin href="/${file}"${attributes} />`;
  const css = asset.source.toString().trim();
  if (shell && css.length > LONGEST_INLINE) return link('');
  return `<style>${css}</style>${link(' disabled')}`;
}

const LONGEST_INLINE = 40_000;

async function imageOf(
  page: Omit<DescribedPage, 'path'>,
  emit: (fileName: string, source: Uint8Array) => void,
): Promise<{ href: string; alt: string }> {
  const alt = shortTitle(page.title);
  const png = await socialImage(alt, page.description);
  const fileName = `assets/social-${createHash('sha256').update(png).digest('hex').slice(0, 8)}.png`;
  emit(fileName, png);
  return { href: `/${fileName}`, alt };
}
