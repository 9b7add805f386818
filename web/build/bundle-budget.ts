import { brotliCompressSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { filesOf } from './page-files.ts';
import { isShell, type Page } from '../src/pages/page.ts';

const KILOBYTE = 1024;
/**
 * Limits of sizes after brotli at its highest level, with room of three to five per cent above today's pages.
 * A build warns of an exceeded limit, and a test of the built site fails. React, React DOM and the router
 * alone are 72 KB.
 */
const MAX_SCRIPT_BYTES = 89 * KILOBYTE;
/** The code that a form page loads before its form can be used. */
const MAX_FORM_SCRIPT_BYTES = 103 * KILOBYTE;
/** The same, with the code that talks to Cognito, which loads later. The sign-in page is visited most. */
const MAX_TOTAL_BYTES_OF_SIGN_IN = 134 * KILOBYTE;
const MAX_FORM_TOTAL_BYTES = 136 * KILOBYTE;
const FORM_PAGES: readonly string[] = [
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/email-confirmation',
];
/** The module below `src` that forms import lazily. */
const ACCOUNT_CODE = 'account/sign-in.ts';
/** The size that fits into a connection's first round trip, where a byte of HTML costs next to nothing. */
const MAX_HTML_BYTES = 14 * KILOBYTE;
/** The pages that nearly every visitor sees. Other pages may be as long as their text. */
const PAGES_WITH_HTML_LIMIT: readonly string[] = ['/', '/pricing'];

/** Code that a page doesn't need until the user does something. */
const FORBIDDEN: readonly [name: string, module: RegExp][] = [
  ['account code (aws-amplify)', /\/node_modules\/(aws-amplify|@aws-amplify\/(?!ui))/],
  ['form code (@aws-amplify/ui-react)', /\/node_modules\/@aws-amplify\/ui/],
  ['payment code (@stripe)', /\/node_modules\/@stripe\//],
  ['the full zod', /\/node_modules\/zod\/v4\/classic\//],
];

export interface Weight {
  path: string;
  scriptBytes: number;
  /** Size including the code that a form page loads later. */
  totalBytes?: number;
  scripts: readonly string[];
  /** Only of a page with a limit: to compress the HTML of all pages takes a sixth of the build. */
  htmlBytes?: number;
}

const brotli = (content: string | Uint8Array): number => brotliCompressSync(content).byteLength;

/** The brotli size in bytes of the code that each prerendered page loads, and the exceeded limits. */
export function weigh(
  bundle: Rolldown.OutputBundle,
  pages: readonly { page: Omit<Page, 'path'>; path: string; html: string }[],
): { weights: Weight[]; faults: string[] } {
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const output = bundle[file];
    const size = sizes.get(file) ?? (output?.type === 'chunk' ? brotli(output.code) : 0);
    sizes.set(file, size);
    return size;
  };
  const bytesOf = (files: readonly string[]) => files.reduce((sum, file) => sum + sizeOf(file), 0);
  const faults: string[] = [];
  const weights = pages
    .filter(({ page }) => !isShell(page))
    .map(({ page, path, html }) => {
      const { scripts } = filesOf(bundle, page);
      const isForm = FORM_PAGES.includes(path);
      const weight: Weight = {
        path,
        scripts,
        scriptBytes: bytesOf(scripts),
        ...(isForm && { totalBytes: bytesOf(filesOf(bundle, page, ACCOUNT_CODE).scripts) }),
        ...(PAGES_WITH_HTML_LIMIT.includes(path) && { htmlBytes: brotli(html) }),
      };
      const most = isForm ? MAX_FORM_SCRIPT_BYTES : MAX_SCRIPT_BYTES;
      if (weight.scriptBytes > most) faults.push(excess(path, 'script', weight.scriptBytes, most));
      const mostInAll = path === '/login' ? MAX_TOTAL_BYTES_OF_SIGN_IN : MAX_FORM_TOTAL_BYTES;
      if ((weight.totalBytes ?? 0) > mostInAll) {
        faults.push(excess(path, 'script in all', weight.totalBytes ?? 0, mostInAll));
      }
      if ((weight.htmlBytes ?? 0) > MAX_HTML_BYTES) {
        faults.push(excess(path, 'HTML', weight.htmlBytes ?? 0, MAX_HTML_BYTES));
      }
      for (const [name, module] of FORBIDDEN) {
        const carrier = scripts.find((file) => modulesOf(bundle, file).some((id) => module.test(id)));
        if (carrier) faults.push(`${path} loads ${name}, in ${carrier}.`);
      }
      return weight;
    });
  return { weights, faults };
}

function modulesOf(bundle: Rolldown.OutputBundle, file: string): string[] {
  const output = bundle[file];
  return output?.type === 'chunk' ? output.moduleIds : [];
}

const inKilobytes = (bytes: number): string => (bytes / KILOBYTE).toFixed(1);

const excess = (path: string, what: string, bytes: number, limit: number): string =>
  `${path} has ${bytes} bytes of ${what} (brotli), and may have ${limit} by web/build/bundle-budget.ts: ${bytes - limit} more.`;

const known = (bytes: number | undefined, text: (kilobytes: string) => string): string =>
  bytes === undefined ? '' : text(`${inKilobytes(bytes)} KB`);

export function weightTable(weights: readonly Weight[]): string {
  const wide = Math.max(...weights.map(({ path }) => path.length));
  return weights
    .map(
      ({ path, scriptBytes, totalBytes, scripts, htmlBytes }) =>
        `${path.padEnd(wide)}  script ${inKilobytes(scriptBytes)} KB${known(totalBytes, (size) => ` (in all ${size})`)}${known(htmlBytes, (size) => `  HTML ${size}`)}  ${scripts
          .map((file) => file.replace('assets/', ''))
          .join(' ')}`,
    )
    .join('\n');
}
