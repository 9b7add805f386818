import { articles } from 'virtual:content/articles';
import { templates } from 'virtual:content/templates';
import { description } from '../../../schemas/product/description.ts';
import { free, mainOffer, paidNames } from '../../../schemas/product/offers.ts';
import { product } from '../../../schemas/product/product.ts';
import type { DescribedSite } from './page.ts';
import { type fixedPages, notFound, pages, unknownArticle } from './pages.ts';

// Kept apart from pages.ts, so that browsers don't load these sentences.
const descriptions: Record<(typeof fixedPages)[number]['path'], string> = {
  '/': description,
  '/pricing': `${free.name} is ${free.price} ${free.period}, with ${free.features[0]}. ${mainOffer.name} is ${mainOffer.price} ${mainOffer.period}, with unlimited requests.`,
  '/demo': `${product.name} from the first selection to the last word, step by step: highlight, press Command+G, choose a command, keep the answer.`,
  '/templates': `${templates.length} sets of commands and contexts for ${product.name}, by field of work. Use them as they are, then make them yours.`,
  '/help': `How to begin with ${product.name}, its two keyboard shortcuts, answers to common questions, and where to write.`,
  [product.valuesPath]: `Transparency, Care, Human First: what ${product.name} stands for, and what that commits us to.`,
  '/waitlist': `${product.name} runs on Mac. Leave your name, and we will write when it runs on Windows.`,
  '/articles': `Why ${product.name} exists, how it works, and how it treats what you write.`,
  '/terms': `The terms on which you may use ${product.name}, in eighteen sections.`,
  '/privacy': `What data ${product.name} handles, why, who else does, and what you can ask of us.`,
  '/login': `Sign in to your ${product.name} account.`,
  '/signup': `Create a ${product.name} account. The ${free.name} plan costs nothing.`,
  '/email-confirmation': `Confirm the email address of your ${product.name} account.`,
  '/forgot-password': `Ask for a link to choose a new ${product.name} password.`,
  '/reset-password': `Choose a new password for your ${product.name} account.`,
  '/address-change': `Approve or stop a change of the email address of your ${product.name} account.`,
  '/end-contract': `End your contract for ${product.name} ${paidNames} without signing in.`,
  '/hits': `Hands a sign-in over to ${product.name} on your Mac.`,
  '/oauth/callback': 'Takes a sign-in back to the app that asked for it.',
  '/oauth/demo': 'Sign in with a provider on behalf of an app, and see what the app gets.',
  '/oauth/start': 'Begins a sign-in on behalf of an app.',
  '/dashboard': `Your ${product.name} account and plan.`,
  '/settings': 'Your name, address, ways to sign in, sessions and data.',
  '/checkout': `Pay for ${product.name} ${paidNames}.`,
  '/checkout/return': `The result of your payment to ${product.name}.`,
  '/stripe-checkout': `Pay for ${product.name} ${paidNames}.`,
  '/return': `The result of your payment to ${product.name}.`,
  '/cancel': `Cancel your ${product.name} ${paidNames} subscription.`,
};

const excerpts = Object.fromEntries(articles.map(({ id, excerpt }) => [`/articles/${id}`, excerpt]));
const descriptionOf: Readonly<Record<string, string>> = {
  ...descriptions,
  ...excerpts,
  '/changelog': `What changed in each version of ${product.name} for Mac, newest first.`,
};

/** The pages, with their descriptions for search engines and link previews. Read only by the build. */
export const described: DescribedSite = {
  pages: pages.map((page) => ({ ...page, description: descriptionOf[page.path] ?? '' })),
  notFound: { ...notFound, description: 'There is no page at this address.' },
  unknownArticle: { ...unknownArticle, description: 'There is no article at this address.' },
};
