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

const brotli = (content: string | Uint8Array): number => brotliCompressSync(content).byteLength;

/** The limits that prerendered pages exceed, in sentences. */
export function budgetFaults(
  bundle: Rolldown.OutputBundle,
  pages: readonly { page: Omit<Page, 'path'>; path: string; html: string }[],
): string[] {
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const output = bundle[file];
    const size = sizes.get(file) ?? (output?.type === 'chunk' ? brotli(output.code) : 0);
    sizes.set(file, size);
    return size;
  };
  const bytesOf = (files: readonly string[]) => files.reduce((sum, file) => sum + sizeOf(file), 0);
  return pages
    .filter(({ page }) => !isShell(page))
    .flatMap(({ page, path, html }) => {
      const { scripts } = filesOf(bundle, page);
      const isForm = FORM_PAGES.includes(path);
      const faults = [
        excess(path, 'script', bytesOf(scripts), isForm ? MAX_FORM_SCRIPT_BYTES : MAX_SCRIPT_BYTES),
      ];
      if (isForm) {
        const most = path === '/login' ? MAX_TOTAL_BYTES_OF_SIGN_IN : MAX_FORM_TOTAL_BYTES;
        faults.push(
          excess(path, 'script in all', bytesOf(filesOf(bundle, page, ACCOUNT_CODE).scripts), most),
        );
      }
      // To compress the HTML of all pages would take a sixth of the build.
      if (PAGES_WITH_HTML_LIMIT.includes(path)) {
        faults.push(excess(path, 'HTML', brotli(html), MAX_HTML_BYTES));
      }
      for (const [name, module] of FORBIDDEN) {
        const carrier = scripts.find((file) => modulesOf(bundle, file).some((id) => module.test(id)));
        if (carrier) faults.push(`${path} loads ${name}, in ${carrier}.`);
      }
      return faults.filter((fault) => fault !== undefined);
    });
}

function modulesOf(bundle: Rolldown.OutputBundle, file: string): string[] {
  const output = bundle[file];
  return output?.type === 'chunk' ? output.moduleIds : [];
}

const excess = (path: string, what: string, bytes: number, limit: number): string | undefined =>
  bytes > limit
    ? `${path} has ${bytes} bytes of ${what} (brotli), and may have ${limit} by web/build/bundle-budget.ts: ${bytes - limit} more.`
    : undefined;
