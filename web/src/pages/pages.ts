import { articles } from 'virtual:content/article-pages';
import { newestVersion } from 'virtual:content/download';
import { product } from '../../../schemas/product.ts';
import type { Page } from './page.ts';

const titled = (title: string): string => `${title} · ${product.name}`;

export const fixedPages = [
  {
    path: '/',
    module: 'landing/landing-page.tsx',
    title: `${product.name}: ${product.tagline}`,
    access: 'public',
    listed: true,
  },
  {
    path: '/pricing',
    module: 'pricing/pricing-page.tsx',
    title: titled('Pricing'),
    access: 'public',
    listed: true,
  },
  {
    path: '/demo',
    module: 'demo/demo-page.tsx',
    title: titled('Complete Product Walkthrough'),
    access: 'public',
    listed: true,
  },
  {
    path: '/templates',
    module: 'templates/templates-page.tsx',
    title: titled('Ready-to-use templates'),
    access: 'public',
    listed: true,
  },
  {
    path: '/help',
    module: 'help/help-page.tsx',
    title: titled('Help'),
    access: 'public',
    listed: true,
  },
  {
    path: product.valuesPath,
    module: 'values/values-page.tsx',
    title: titled('Our Values'),
    access: 'public',
    listed: true,
  },
  {
    path: '/waitlist',
    module: 'waitlist/waitlist-page.tsx',
    title: titled('Windows Waitlist'),
    access: 'public',
    listed: true,
  },
  {
    path: '/articles',
    module: 'articles/articles-page.tsx',
    title: titled('Articles'),
    access: 'public',
    listed: true,
  },
  {
    path: '/terms',
    module: 'terms/terms-page.tsx',
    title: titled('Terms of Service'),
    access: 'public',
    listed: true,
  },
  {
    path: '/privacy',
    module: 'privacy/privacy-page.tsx',
    title: titled('Privacy Policy'),
    access: 'public',
    listed: true,
  },
  {
    path: '/login',
    module: 'login/login-page.tsx',
    title: titled('Sign In'),
    access: 'visitor',
    listed: false,
    shell: false,
  },
  {
    path: '/signup',
    module: 'signup/signup-page.tsx',
    title: titled('Create your account'),
    access: 'visitor',
    listed: false,
    shell: false,
  },
  {
    path: '/email-confirmation',
    module: 'email-confirmation/email-confirmation-page.tsx',
    title: titled('Check your email'),
    access: 'public',
    listed: false,
  },
  {
    path: '/forgot-password',
    module: 'forgot-password/forgot-password-page.tsx',
    title: titled('Forgot your password?'),
    access: 'public',
    listed: false,
  },
  {
    path: '/reset-password',
    module: 'reset-password/reset-password-page.tsx',
    title: titled('Choose a new password'),
    access: 'public',
    listed: false,
  },
  {
    path: '/undo-email',
    module: 'undo-email/undo-email-page.tsx',
    title: titled('Take your account back'),
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/hits',
    module: 'hits/hits-page.tsx',
    title: titled('Authentication Complete'),
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/oauth/callback',
    module: 'oauth-callback/oauth-callback-page.tsx',
    title: titled('Signing you in'),
    access: 'public',
    listed: false,
    shell: true,
    waiting: 'oauth-callback/oauth-callback-waiting.tsx',
  },
  {
    path: '/oauth/demo',
    module: 'oauth-demo/oauth-demo-page.tsx',
    title: titled('OAuth demo'),
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/oauth/start',
    module: 'oauth-start/oauth-start-page.tsx',
    title: titled('Signing you in'),
    access: 'public',
    listed: false,
    shell: true,
    waiting: 'oauth-start/oauth-start-waiting.tsx',
  },
  {
    path: '/dashboard',
    module: 'dashboard/dashboard-page.tsx',
    title: titled('Dashboard'),
    access: 'signed-in',
    listed: false,
    waiting: 'dashboard/dashboard-waiting.tsx',
  },
  {
    path: '/checkout',
    module: 'checkout/checkout-page.tsx',
    title: titled('Complete Your Purchase'),
    access: 'signed-in',
    listed: false,
    waiting: 'checkout/checkout-waiting.tsx',
  },
  {
    path: '/checkout/return',
    module: 'checkout-return/checkout-return-page.tsx',
    title: titled('Your payment'),
    access: 'signed-in',
    listed: false,
    waiting: 'checkout-return/checkout-return-waiting.tsx',
  },
  {
    path: '/stripe-checkout',
    module: 'stripe-checkout/stripe-checkout-page.tsx',
    title: titled('Complete Your Purchase'),
    access: 'signed-in',
    listed: false,
    waiting: 'checkout/checkout-waiting.tsx',
  },
  {
    path: '/return',
    module: 'return/return-page.tsx',
    title: titled('Your payment'),
    access: 'public',
    listed: false,
    shell: true,
    waiting: 'checkout-return/checkout-return-waiting.tsx',
  },
  {
    path: '/cancel',
    module: 'cancel/cancel-page.tsx',
    title: titled('Cancel your subscription'),
    access: 'signed-in',
    listed: false,
    waiting: 'cancel/cancel-waiting.tsx',
  },
] as const satisfies readonly Page[];

const articlePages = articles.map(({ id, title, listed }): Page => ({
  path: `/articles/${id}`,
  module: 'article/article-page.tsx',
  title: titled(title),
  access: 'public',
  listed,
}));

/** The changelog's page, which doesn't exist before the first release. */
const changelogPages: readonly Page[] =
  newestVersion === undefined
    ? []
    : [
        {
          path: '/changelog',
          module: 'changelog/changelog-page.tsx',
          title: titled('Changelog'),
          access: 'public',
          listed: true,
        },
      ];

/** Every page. The router, the built files and the links between pages derive from this list. */
export const pages: readonly Page[] = [...fixedPages, ...changelogPages, ...articlePages];

/** The page for articles that don't exist. The server answers their addresses with status 404. */
export const unknownArticle = {
  path: '/articles/:id',
  module: 'article/article-page.tsx',
  title: titled('Article Not Found'),
  access: 'public',
  listed: false,
} as const satisfies Page;

/** The page for unknown addresses. */
export const notFound = {
  module: 'not-found/not-found-page.tsx',
  title: titled('Page not found'),
  access: 'public',
  listed: false,
} as const satisfies Omit<Page, 'path'>;

export const hasPage = (path: string): boolean => pages.some((page) => page.path === path);
