import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundleScript } from 'esbuild';
import { build, type Plugin, type PluginOption, type Rolldown, type ViteDevServer } from 'vite';
import { budgetFaults } from './bundle-budget.ts';
import { contentFolder, readArticles, readChangelog } from './content.ts';
import { markdownPath } from './discovery.ts';
import { fontPreloads } from './font-preloads.ts';
import { markdownOf } from './markdown.ts';
import { filesOf } from './page-files.ts';
import { pageHead } from './page-head.ts';
import { type DescribedPage, type DescribedSite, isShell, type RenderedSite } from '../src/pages/page.ts';
import { latestRelease } from './releases.ts';
import { structuredDataOf } from './structured-data.ts';
import { serveSiteFiles, siteFiles } from './site-files.ts';

// The placeholders in index.html that are replaced on each page.
const HEAD_PLACE = '<!--page-->';
const ROOT = '<div id="root"></div>';
const NEEDS_SCRIPT = '<noscript>This page needs JavaScript to show you anything.</noscript>';

/** The page to which visitors of pages for signed-in users are redirected. */
const SIGN_IN_PAGE = 'login/login-page.tsx';

const ROOT_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const SERVER_ENTRY = fileURLToPath(new URL('../src/app/entry-server.tsx', import.meta.url));
const HEAD_SCRIPT = fileURLToPath(new URL('../src/app/head-script.ts', import.meta.url));
const USER_HEAD_SCRIPT = fileURLToPath(new URL('../src/app/user-head-script.ts', import.meta.url));

interface WrittenPage {
  page: Omit<DescribedPage, 'path'>;
  /** The path at which the page is rendered: `/404` for the page of unknown addresses. */
  path: string;
  /** Address of the page. Undefined for the pages of unknown addresses. */
  address: string | undefined;
  fileName: string;
}

/**
 * Renders every page of `src/pages/pages.ts` into an HTML file: `/checkout/return` becomes
 * `checkout/return.html`, the home page `index.html`, the page for unknown addresses `404.html`, and that for
 * unknown articles `articles/not-found.html`. A listed page is beside it as Markdown. Styles are inlined and
 * scripts load later. Also writes the files of site-files.ts. A page that exceeds its budget fails the build.
 *
 * `plugins` makes new plugins for each build of the site's modules. `folder` holds the content.
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
        const { pages, notFound, unknownArticle } = await describedIn(server);
        const unknown = pathname.startsWith('/articles/') ? unknownArticle : notFound;
        const page = pages.find(({ path }) => path === pathname) ?? unknown;
        return html.replace(HEAD_PLACE, () => pageHead({ page, path: undefined }));
      },
    },
    configureServer(server) {
      return serveSiteFiles(server, async () => (await describedIn(server)).pages, folder);
    },
    async generateBundle(_options, bundle) {
      const shell = bundle['index.html'];
      if (shell?.type !== 'asset') throw new Error('The build has no index.html to write the pages from.');
      const frame = frameOf(shell.source.toString());
      const articles = readArticles(folder);
      const release = latestRelease(readChangelog(folder));
      const content = { articles, release };
      const [{ site, close }, script, userScript] = await Promise.all([
        loadSite(plugins()),
        textOf(HEAD_SCRIPT),
        textOf(USER_HEAD_SCRIPT),
      ]);
      const scripts = { script, userScript };
      try {
        const emit = (path: string, source: string) =>
          void this.emitFile({ type: 'asset', fileName: path.replace(/^\//, ''), source });
        const written = await Promise.all(
          pagesOf(site).map(async ({ page, path, address, fileName }) => {
            const head = pageHead({ page, path: address, structuredData: structuredDataOf(path, content) });
            const body = await site.render(path);
            const html = frame({ page, path, head, body, bundle, ...scripts });
            if (page.listed) emit(markdownPath(path), markdownOf(body));
            return { page, path, fileName, html };
          }),
        );
        for (const { fileName, html } of written) {
          if (fileName === 'index.html') shell.source = html;
          else emit(fileName, html);
        }
        for (const [path, text] of Object.entries(siteFiles(site.pages, folder))) emit(path, text);

        for (const fault of budgetFaults(bundle, written)) this.warn(fault);
      } finally {
        await close();
      }
    },
  };
}

const pagesOf = ({ pages, notFound, unknownArticle }: RenderedSite): WrittenPage[] => [
  ...pages.map((page) => ({
    page,
    path: page.path,
    address: page.path,
    fileName: page.path === '/' ? 'index.html' : `${page.path.slice(1)}.html`,
  })),
  { page: notFound, path: '/404', address: undefined, fileName: '404.html' },
  {
    page: unknownArticle,
    path: '/articles/not-found',
    address: undefined,
    fileName: 'articles/not-found.html',
  },
];

async function describedIn(server: ViteDevServer): Promise<DescribedSite> {
  const module = await server.ssrLoadModule('/src/pages/page-descriptions.ts');
  return (module as { described: DescribedSite }).described;
}

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
      // Bundled, because Node finds no packages from the temporary folder.
      ssr: { noExternal: true },
      build: {
        ssr: SERVER_ENTRY,
        outDir,
        emptyOutDir: true,
        minify: false,
        // The same limit as in the build for browsers, so that both name the same files.
        assetsInlineLimit: 0,
        // Modules that are imported lazily or by shells, and so never during rendering.
        rolldownOptions: {
          external: [/^(aws-amplify|@aws-amplify|@stripe)\b/],
          // Named `.mjs`, because the temporary folder has no package.json with `type: module`.
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

async function textOf(script: string): Promise<string> {
  const { outputFiles } = await bundleScript({
    entryPoints: [script],
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
  /** The script that runs after `script`, on pages about a user: those that aren't listed. */
  userScript: string;
  bundle: Rolldown.OutputBundle;
}

/** Without the spaces and slashes that HTML doesn't need: about 50 bytes of the landing page's limit. */
const compact = (html: string): string => html.replaceAll(/\n +/g, '\n').replaceAll(/ +\/>/g, '>');

/** Makes the function that puts a page together from Vite's index.html. */
function frameOf(built: string): (parts: Parts) => string {
  const html = compact(built)
    .replaceAll(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replaceAll(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '')
    .replace(`\n${NEEDS_SCRIPT}`, '');
  for (const part of [HEAD_PLACE, ROOT])
    if (!html.includes(part)) throw new Error(`index.html has no ${part}.`);
  return ({ page, path, head, body, script, userScript, bundle }) => {
    const shell = isShell(page);
    // `data-now` loads a shell's scripts right after the first paint: its page waits for them.
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
    const forUser = page.listed ? '' : `\n<script>${userScript}</script>`;
    const style = styles.map((file) => styleOf(file, bundle)).join('\n');
    return html
      .replace(HEAD_PLACE, () => compact(`${head}\n${fontPreloads(body, bundle)}`))
      .replace(
        '</head>',
        () => `${style}\n<script ${attributes.join(' ')}>${script}</script>${forUser}\n</head>`,
      )
      .replace(
        ROOT,
        () => `${shell ? `${NEEDS_SCRIPT}\n` : ''}<div id="root" data-path="${path}">${body}</div>`,
      );
  };
}

function styleOf(file: string, bundle: Rolldown.OutputBundle): string {
  const asset = bundle[file];
  if (asset?.type !== 'asset') throw new Error(`The build has no ${file}.`);
  return `<style>${asset.source.toString().trim()}</style>`;
}
