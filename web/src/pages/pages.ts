import { articles } from 'virtual:content/article-pages';
import { newestVersion } from 'virtual:content/download';
import { product } from '../../../schemas/product/product.ts';
import type { Page } from './page.ts';

const titled = (title: string): string => `${title} · ${product.name}`;

const listed = { access: 'public', listed: true } as const;
/** Found by a link alone. */
const unlisted = { access: 'public', listed: false } as const;
const shell = { ...unlisted, shell: true } as const;
const form = { access: 'visitor', listed: false, shell: false } as const;
const account = { access: 'signed-in', listed: false } as const;

/** `folder` and `waiting`: folders of `src/routes`, after which the page and its placeholder are named. */
const page = <P extends Page['path']>(
  path: P,
  folder: string,
  title: string,
  kind: Pick<Page, 'access' | 'listed' | 'shell'>,
  waiting?: string,
) => ({
  path,
  module: `${folder}/${folder}-page.tsx` as const,
  title: titled(title),
  ...kind,
  ...(waiting !== undefined && { waiting: `${waiting}/${waiting}-waiting.tsx` as const }),
});

export const fixedPages = [
  { path: '/', module: 'landing/landing-page.tsx', title: `${product.name}: ${product.tagline}`, ...listed },
  page('/pricing', 'pricing', 'Pricing', listed),
  page('/demo', 'demo', 'Complete Product Walkthrough', listed),
  page('/templates', 'templates', 'Ready-to-use templates', listed),
  page('/help', 'help', 'Help', listed),
  page(product.valuesPath, 'values', 'Our Values', listed),
  page('/waitlist', 'waitlist', 'Windows Waitlist', listed),
  page('/articles', 'articles', 'Articles', listed),
  page('/terms', 'terms', 'Terms of Service', listed),
  page('/privacy', 'privacy', 'Privacy Policy', listed),
  page('/login', 'login', 'Sign In', form),
  page('/signup', 'signup', 'Create your account', form),
  page('/email-confirmation', 'email-confirmation', 'Check your email', unlisted),
  page('/forgot-password', 'forgot-password', 'Forgot your password?', unlisted),
  page('/reset-password', 'reset-password', 'Choose a new password', unlisted),
  page('/address-change', 'address-change', 'Change your address', shell),
  page('/end-contract', 'end-contract', 'End your contract', shell),
  page('/hits', 'hits', 'Authentication Complete', shell),
  page('/oauth/callback', 'oauth-callback', 'Signing you in', shell, 'oauth-callback'),
  page('/oauth/demo', 'oauth-demo', 'OAuth demo', shell),
  page('/oauth/start', 'oauth-start', 'Signing you in', shell, 'oauth-callback'),
  page('/dashboard', 'dashboard', 'Dashboard', account, 'dashboard'),
  page('/settings', 'settings', 'Settings', account, 'settings'),
  page('/checkout', 'checkout', 'Complete Your Purchase', account, 'checkout'),
  page('/checkout/return', 'checkout-return', 'Your payment', account, 'checkout-return'),
  page('/stripe-checkout', 'stripe-checkout', 'Complete Your Purchase', account, 'checkout'),
  page('/return', 'return', 'Your payment', shell, 'checkout-return'),
  page('/cancel', 'cancel', 'Cancel your subscription', account, 'cancel'),
] as const satisfies readonly Page[];

const articlePages = articles.map(({ id, title, listed: isListed }) =>
  page(`/articles/${id}`, 'article', title, isListed ? listed : unlisted),
);

/** The changelog's page, which doesn't exist before the first release. */
const changelogPages =
  newestVersion === undefined ? [] : [page('/changelog', 'changelog', 'Changelog', listed)];

/** Every page. The router, the built files and the links between pages derive from this list. */
export const pages: readonly Page[] = [...fixedPages, ...changelogPages, ...articlePages];

/** The page for articles that don't exist. The server answers their addresses with status 404. */
export const unknownArticle = page('/articles/:id', 'article', 'Article Not Found', unlisted);

export const notFound = {
  module: 'not-found/not-found-page.tsx',
  title: titled('Page not found'),
  ...unlisted,
} as const;

export const hasPage = (path: string): boolean => pages.some((each) => each.path === path);

export const isAccountPage = (path: string): boolean =>
  pages.some((each) => each.path === path && each.access === 'signed-in');
