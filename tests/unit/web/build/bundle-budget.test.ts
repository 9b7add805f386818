import { randomBytes } from 'node:crypto';
import type { Rolldown } from 'vite';
import { describe, expect, test } from 'vitest';
import { budgetFaults } from '../../../../web/build/bundle-budget.ts';
import { filesOf } from '../../../../web/build/page-files.ts';

interface Written {
  imports?: string[];
  modules?: string[];
  css?: string[];
  code?: string;
  isEntry?: boolean;
  facade?: string;
}

/** The parts of a chunk that the tested functions read. */
function bundleOf(chunks: Record<string, Written>): Rolldown.OutputBundle {
  const entries = Object.entries(chunks).map(([fileName, chunk]) => [
    fileName,
    {
      type: 'chunk',
      fileName,
      imports: chunk.imports ?? [],
      moduleIds: chunk.modules ?? [],
      code: chunk.code ?? 'code',
      isEntry: chunk.isEntry ?? false,
      facadeModuleId: chunk.facade ?? null,
      viteMetadata: { importedCss: new Set(chunk.css ?? []) },
    },
  ]);
  return Object.fromEntries(entries) as Rolldown.OutputBundle;
}

const small = {
  'index.js': { isEntry: true, imports: ['react.js'], css: ['site.css'] },
  'react.js': {},
  'pricing.js': {
    facade: '/w/web/src/routes/pricing/pricing-page.tsx',
    imports: ['index.js', 'shared.js'],
    css: ['pricing.css'],
  },
  'shared.js': { imports: ['react.js'], css: ['shared.css'] },
  'login.js': { facade: '/w/web/src/routes/login/login-page.tsx', imports: ['account.js'] },
  'account.js': { modules: ['/w/node_modules/aws-amplify/dist/index.mjs'] },
};
const pricing = {
  path: '/pricing',
  html: '<p>short</p>',
  page: {
    module: 'pricing/pricing-page.tsx',
    title: 'Pricing',
    description: '',
    access: 'public',
    listed: true,
  },
} as const;

test('a page loads the application, the page and their imports, each once, in the order of the cascade', () => {
  expect(filesOf(bundleOf(small), { module: 'pricing/pricing-page.tsx' })).toMatchObject({
    scripts: ['index.js', 'pricing.js', 'react.js', 'shared.js'],
    styles: ['site.css', 'shared.css', 'pricing.css'],
  });
  expect(() => filesOf(bundleOf(small), { module: 'demo/demo-page.tsx' })).toThrow(/demo\/demo-page\.tsx/);
});

describe('the budget', () => {
  test('is kept by a small page', () => {
    expect(budgetFaults(bundleOf(small), [pricing])).toEqual([]);
  });

  test('is broken by too much script, wherever it is', () => {
    const heavy = { ...small, 'shared.js': { code: randomBytes(90 * 1024).toString('latin1') } };
    expect(budgetFaults(bundleOf(heavy), [pricing])).toEqual([
      expect.stringMatching(
        /^\/pricing has \d+ bytes of script \(brotli\), and may have \d+ by .+ \d+ more\.$/,
      ),
    ]);
  });

  test('is broken by too much HTML on pages that nearly every visitor sees', () => {
    const html = randomBytes(16 * 1024).toString('base64');
    expect(budgetFaults(bundleOf(small), [{ ...pricing, html }])).toHaveLength(1);
    expect(budgetFaults(bundleOf(small), [{ ...pricing, html, path: '/terms' }])).toEqual([]);
  });

  test.each([
    ['/w/node_modules/aws-amplify/dist/index.mjs', 'account code'],
    ['/w/node_modules/@aws-amplify/core/dist/index.mjs', 'account code'],
    ['/w/node_modules/@aws-amplify/ui-react/dist/index.mjs', 'form code'],
    ['/w/node_modules/@stripe/stripe-js/lib/index.mjs', 'payment code'],
    ['/w/node_modules/zod/v4/classic/schemas.js', 'the full zod'],
  ])('is broken by %s, however small', (module, name) => {
    const bundle = bundleOf({ ...small, 'shared.js': { modules: [module] } });
    expect(budgetFaults(bundle, [pricing])).toEqual([expect.stringContaining(`loads ${name}`)]);
  });

  test('lets a shell have its account code', () => {
    const dashboard = {
      ...pricing,
      path: '/dashboard',
      page: { ...pricing.page, module: 'login/login-page.tsx', access: 'signed-in' },
    } as const;
    expect(budgetFaults(bundleOf(small), [dashboard])).toEqual([]);
  });
});

describe('the budget of a form', () => {
  const login = {
    ...pricing,
    path: '/login',
    page: { ...pricing.page, module: 'login/login-page.tsx', access: 'visitor', shell: false },
  } as const;
  const random = (kilobytes: number) => randomBytes(kilobytes * 1024).toString('latin1');
  const form = ({ first, later }: { first: string; later: string }) =>
    bundleOf({
      ...small,
      'login.js': { facade: '/w/web/src/routes/login/login-page.tsx', code: first },
      'sign-in.js': {
        facade: '/w/web/src/account/sign-in.ts',
        modules: ['/w/node_modules/aws-amplify/dist/index.mjs'],
        code: later,
      },
    });

  test('allows account code that comes later', () => {
    expect(budgetFaults(form({ first: 'code', later: 'code' }), [login])).toEqual([]);
  });

  test.each([
    ['before the form can be used', { first: random(110), later: 'code' }, 'script'],
    ['in all', { first: random(5), later: random(140) }, 'script in all'],
  ])('is broken by too much script %s', (_, code, what) => {
    expect(budgetFaults(form(code), [login])).toEqual([
      expect.stringMatching(new RegExp(`^/login has \\d+ bytes of ${what} \\(brotli\\)`)),
    ]);
  });

  test('is broken by account code that comes with the page', () => {
    expect(
      budgetFaults(bundleOf({ ...small, 'sign-in.js': { facade: '/w/web/src/account/sign-in.ts' } }), [
        login,
      ]),
    ).toEqual([expect.stringContaining('loads account code')]);
  });
});
