import { plans, product } from '../../schemas/product.ts';

/**
 * Who gets to see a page: `public`, everybody; `visitor`, whoever is signed out, the others are sent on;
 * `signed-in`, whoever is signed in, the others are sent to sign in.
 */
type Access = 'public' | 'visitor' | 'signed-in';

export interface Page {
  path: `/${string}`;
  /** Below `src/routes`; its default export is the page. */
  module: `${string}/${string}-page.tsx`;
  title: string;
  description: string;
  access: Access;
  /** Whether search engines may list it. */
  listed: boolean;
  /** What shows while the session loads, where that isn't `Loading`. */
  waiting?: string;
}

const titled = (title: string): string => `${title} · ${product.name}`;

/** Every page there is. The router, the files of the build and every link between pages come from here. */
export const pages = [
  {
    path: '/',
    module: 'landing/landing-page.tsx',
    title: `${product.name}: ${product.tagline}`,
    description:
      'A desktop assistant for Mac. Highlight or copy text in any app or website, press Command-G, and run commands you wrote yourself.',
    access: 'public',
    listed: true,
  },
  {
    path: '/pricing',
    module: 'pricing/pricing-page.tsx',
    title: titled('Pricing'),
    description: `${plans.free.name} is ${plans.free.price} ${plans.free.period}, with ${plans.free.features[0]}. ${plans.plus.name} is ${plans.plus.price} ${plans.plus.period}, with unlimited requests.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/login',
    module: 'login/login-page.tsx',
    title: titled('Sign In'),
    description: `Sign in to your ${product.name} account.`,
    access: 'visitor',
    listed: false,
  },
  {
    path: '/signup',
    module: 'signup/signup-page.tsx',
    title: titled('Create your account'),
    description: `Create a ${product.name} account. The ${plans.free.name} plan costs nothing.`,
    access: 'visitor',
    listed: false,
  },
  {
    path: '/email-confirmation',
    module: 'email-confirmation/email-confirmation-page.tsx',
    title: titled('Check your email'),
    description: `Confirm the e-mail address of your ${product.name} account.`,
    access: 'public',
    listed: false,
  },
  {
    path: '/forgot-password',
    module: 'forgot-password/forgot-password-page.tsx',
    title: titled('Forgot your password?'),
    description: `Ask for a link to choose a new ${product.name} password.`,
    access: 'public',
    listed: false,
  },
  {
    path: '/reset-password',
    module: 'reset-password/reset-password-page.tsx',
    title: titled('Choose a new password'),
    description: `Choose a new password for your ${product.name} account.`,
    access: 'public',
    listed: false,
  },
  {
    path: '/dashboard',
    module: 'dashboard/dashboard-page.tsx',
    title: titled('Dashboard'),
    description: `Your ${product.name} account and plan.`,
    access: 'signed-in',
    listed: false,
  },
  {
    path: '/checkout',
    module: 'checkout/checkout-page.tsx',
    title: titled('Complete Your Purchase'),
    description: `Pay for ${product.name} ${plans.plus.name}.`,
    access: 'signed-in',
    listed: false,
    waiting: 'Loading checkout...',
  },
  {
    path: '/checkout/return',
    module: 'checkout-return/checkout-return-page.tsx',
    title: titled('Your payment'),
    description: `The result of your payment to ${product.name}.`,
    access: 'signed-in',
    listed: false,
  },
  {
    path: '/cancel',
    module: 'cancel/cancel-page.tsx',
    title: titled('Cancel your subscription'),
    description: `Cancel your ${product.name} ${plans.plus.name} subscription.`,
    access: 'signed-in',
    listed: false,
  },
] as const satisfies readonly Page[];

/** For addresses that lead nowhere. */
export const notFound = {
  module: 'not-found/not-found-page.tsx',
  title: titled('Page not found'),
  description: 'There is no page at this address.',
  access: 'public',
  listed: false,
} as const satisfies Omit<Page, 'path'>;

export const hasPage = (path: string): boolean => pages.some((page) => page.path === path);
