import { articles } from 'virtual:content/articles';
import { plans, product } from '../../../schemas/product.ts';
import type { Page } from './page.ts';

const titled = (title: string): string => `${title} · ${product.name}`;

const fixedPages = [
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
    path: '/demo',
    module: 'demo/demo-page.tsx',
    title: titled('Complete Product Walkthrough'),
    description: `${product.name} from the first selection to the last word, step by step: highlight, press Command-G, choose a command, keep the answer.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/templates',
    module: 'templates/templates-page.tsx',
    title: titled('Ready-to-use templates'),
    description: `Commands and contexts for ${product.name} to take over as they are, by field of work.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/help',
    module: 'help/help-page.tsx',
    title: titled('Help'),
    description: `How to begin with ${product.name}, its two keyboard shortcuts, answers to common questions, and whom to write to.`,
    access: 'public',
    listed: true,
  },
  {
    path: product.valuesPath,
    module: 'values/values-page.tsx',
    title: titled('Our Values'),
    description: `Transparency, Care, Human First: what ${product.name} stands for, and what follows from it.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/waitlist',
    module: 'waitlist/waitlist-page.tsx',
    title: titled('Windows Waitlist'),
    description: `${product.name} runs on Mac. Leave your name and hear from us when it runs on Windows.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/articles',
    module: 'articles/articles-page.tsx',
    title: titled('Articles'),
    description: `Why ${product.name} exists, how it works, and how it treats what you write.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/terms',
    module: 'terms/terms-page.tsx',
    title: titled('Terms of Service'),
    description: `The terms on which you may use ${product.name}, in eighteen sections.`,
    access: 'public',
    listed: true,
  },
  {
    path: '/privacy',
    module: 'privacy/privacy-page.tsx',
    title: titled('Privacy Policy'),
    description: `Which data ${product.name} handles, why, who else does, and what you can ask of us.`,
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
    shell: true,
  },
  {
    path: '/forgot-password',
    module: 'forgot-password/forgot-password-page.tsx',
    title: titled('Forgot your password?'),
    description: `Ask for a link to choose a new ${product.name} password.`,
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/reset-password',
    module: 'reset-password/reset-password-page.tsx',
    title: titled('Choose a new password'),
    description: `Choose a new password for your ${product.name} account.`,
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/hits',
    module: 'hits/hits-page.tsx',
    title: titled('Authentication Complete'),
    description: `Hands a sign-in over to ${product.name} on your Mac.`,
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/oauth/callback',
    module: 'oauth-callback/oauth-callback-page.tsx',
    title: titled('Signing you in'),
    description: 'Takes a sign-in back to the app that asked for it.',
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/oauth/demo',
    module: 'oauth-demo/oauth-demo-page.tsx',
    title: titled('OAuth demo'),
    description: 'Sign in with a provider on behalf of an app, and see what the app gets.',
    access: 'public',
    listed: false,
    shell: true,
  },
  {
    path: '/oauth/start',
    module: 'oauth-start/oauth-start-page.tsx',
    title: titled('Signing you in'),
    description: 'Begins a sign-in on behalf of an app.',
    access: 'public',
    listed: false,
    shell: true,
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
    path: '/stripe-checkout',
    module: 'stripe-checkout/stripe-checkout-page.tsx',
    title: titled('Complete Your Purchase'),
    description: `Pay for ${product.name} ${plans.plus.name}.`,
    access: 'signed-in',
    listed: false,
    waiting: 'Loading checkout...',
  },
  {
    path: '/return',
    module: 'return/return-page.tsx',
    title: titled('Your payment'),
    description: `The result of your payment to ${product.name}.`,
    access: 'public',
    listed: false,
    shell: true,
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

const articlePages = articles.map(({ id, title, excerpt, listed }): Page => ({
  path: `/articles/${id}`,
  module: 'article/article-page.tsx',
  title: titled(title),
  description: excerpt,
  access: 'public',
  listed,
}));

/** Every page there is. The router, the files of the build and every link between pages come from here. */
export const pages: readonly Page[] = [...fixedPages, ...articlePages];

/** For the addresses of articles that nobody has written. It is no file of the build, which answers them with a 404. */
export const unknownArticle = {
  path: '/articles/:id',
  module: 'article/article-page.tsx',
  title: titled('Article Not Found'),
  description: 'There is no article at this address.',
  access: 'public',
  listed: false,
} as const satisfies Page;

/** For addresses that lead nowhere. */
export const notFound = {
  module: 'not-found/not-found-page.tsx',
  title: titled('Page not found'),
  description: 'There is no page at this address.',
  access: 'public',
  listed: false,
} as const satisfies Omit<Page, 'path'>;

export const hasPage = (path: string): boolean => pages.some((page) => page.path === path);
