import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundleScript } from 'esbuild';
import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { weigh, weightTable } from './bundle-budget.ts';
import { contentFolder, readArticles, readChangelog, readFaq } from './content.ts';
import {
  articleMarkdown,
  llmsText,
  robots,
  rss,
  RSS_PATH,
  SECURITY_PATH,
  securityText,
  shortTitle,
  sitemap,
} from './discovery.ts';
import { filesOf } from './page-files.ts';
import { pageHead } from './page-head.ts';
import { socialImage } from './social-image.ts';
import { type DescribedPage, isShell, type RenderedSite } from '../src/app/page.ts';
import { latestRelease } from './releases.ts';
import { structuredDataOf } from './structured-data.ts';

// The places in index.html that differ from page to page.
const HEAD_PLACE = '<!--page-->';
const ROOT = '<div id="root"></div>';
const NEEDS_SCRIPT = '<noscript>This page needs JavaScript to show you anything.</noscript>';

/** Visitors of pages for signed-in users are redirected to it. */
const SIGN_IN_PAGE = 'login/login-page.tsx';

const ROOT_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const SERVER_ENTRY = fileURLToPath(new URL('../src/start/entry-server.tsx', import.meta.url));
const HEAD_SCRIPT = fileURLToPath(new URL('../src/start/head-script.ts', import.meta.url));

interface WrittenPage {
  page: Omit<DescribedPage, 'path'>;
  /** `/404` for the page of unknown addresses. */
  path: string;
  fileName: string;
}

/**
 * Renders every page of `src/app/pages.ts` into an HTML file: `/checkout/return` becomes
 * `checkout/return.html`, the home page `index.html`, the page for unknown addresses `404.html`. Styles are
 * inlined and scripts load later. Also writes the sitemap, robots.txt, security.txt, the feed, llms.txt,
 * articles as Markdown and the pictures for previews of links. A page that exceeds its budget fails the
 * build.
 *
 * `plugins` makes the plugins that the site's modules need, anew for each build. `folder` holds the
 * content.
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
        return html.replace(HEAD_PLACE, () => pageHead({ page, path: undefined }));
      },
    },
    async generateBundle(_options, bundle) {
      const shell = bundle['index.html'];
      if (shell?.type !== 'asset') throw new Error('The build has no index.html to write the pages from.');
      const frame = frameOf(shell.source.toString());
      const articles = readArticles(folder);
      const release = latestRelease(readChangelog(folder));
      const content = { articles, faq: readFaq(folder), release };
      const [{ site, close }, script] = await Promise.all([loadSite(plugins()), headScript()]);
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
            const html = frame({ page, path, head, body, script, bundle });
            return { page, path, fileName, html };
          }),
        );
        for (const { fileName, html } of written) {
          if (fileName === 'index.html') shell.source = html;
          else emit(fileName, html);
        }
        emit('sitemap.xml', sitemap(site.pages, articles));
        emit('robots.txt', robots());
        emit(SECURITY_PATH.slice(1), securityText(new Date()));
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
  const outDir = await mkdtemp(join(tmpdir(), 'selfsame-render-'));
  const close = () => rm(outDir, { recursive: true, force: true });
  try {
    await build({
      configFile: false,
      root: ROOT_FOLDER,
      logLevel: 'warn',
      publicDir: false,
      plugins,
      // Node finds no packages from the temporary folder.
      ssr: { noExternal: true },
      build: {
        ssr: SERVER_ENTRY,
        outDir,
        emptyOutDir: true,
        minify: false,
        // As in the build for browsers, so that both name the same files.
        assetsInlineLimit: 0,
        // Imported lazily or by shells, and so never at a rendering.
        rolldownOptions: {
          external: [/^(aws-amplify|@aws-amplify|@stripe)\b/],
          // The temporary folder has no package.json with `type: module`.
          output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    });
    const entry = pathToFileURL(join(outDir, 'entry-server.mjs'));
    const { site } = (await import(/* @vite-ignore */ entry.href)) as { site: RenderedSite };
    return { site, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The text of the inline script in every page's head. */
async function headScript(): Promise<string> {
  const { outputFiles } = await bundleScript({
    entryPoints: [HEAD_SCRIPT],
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
  script: string;
  bundle: Rolldown.OutputBundle;
}

/** Makes the function that puts a page together from Vite's index.html. */
function frameOf(built: string): (parts: Parts) => string {
  const html = built
    .replaceAll(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replaceAll(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '')
    .replace(`\n    ${NEEDS_SCRIPT}`, '');
  for (const part of [HEAD_PLACE, ROOT])
    if (!html.includes(part)) throw new Error(`index.html has no ${part}.`);
  return ({ page, path, head, body, script, bundle }) => {
    const shell = isShell(page);
    // `data-now` loads a shell's scripts at once: its page shows nothing before.
    const { scripts, styles } = filesOf(bundle, page);
    const [application = '', ...parts] = scripts.map((file) => `/${file}`);
    const attributes = [`data-application="${application}"`, `data-parts="${parts.join(' ')}"`];
    if (shell) attributes.push('data-now');
    if (page.access === 'signed-in') {
      const ofWaiting = filesOf(bundle, { ...page, module: SIGN_IN_PAGE });
      const forVisitors = ofWaiting.scripts.slice(1).map((file) => `/${file}`);
      attributes.push(`data-visitor-parts="${forVisitors.join(' ')}"`);
    }
    if (styles.length > 0) {
      attributes.push(`data-styles="${styles.map((file) => `/${file}`).join(' ')}"`);
    }
    const style = styles.map((file) => styleOf(file, bundle)).join('\n    ');
    return html
      .replace(HEAD_PLACE, () => head)
      .replace(
        '</head>',
        () => `  ${style}\n    <script ${attributes.join(' ')}>${script}</script>\n  </head>`,
      )
      .replace(
        ROOT,
        () => `${shell ? `${NEEDS_SCRIPT}\n    ` : ''}<div id="root" data-path="${path}">${body}</div>`,
      );
  };
}

/** A stylesheet inlined into the page. */
function styleOf(file: string, bundle: Rolldown.OutputBundle): string {
  const asset = bundle[file];
  if (asset?.type !== 'asset') throw new Error(`The build has no ${file}.`);
  return `<style>${asset.source.toString().trim()}</style>`;
}

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
