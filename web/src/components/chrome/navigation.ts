import { product } from '../../../../schemas/product/product.ts';
import { hasPage } from '../../pages/pages.ts';

const labels = {
  '/#features': 'Features',
  '/demo': 'Demo',
  '/templates': 'Templates',
  '/articles': 'Articles',
  '/pricing': 'Pricing',
  '/waitlist': 'Windows Waitlist',
  [product.valuesPath]: 'Values',
  '/help': 'Help',
  '/end-contract': 'End a contract',
  '/terms#the-service': 'Accessibility',
  '/privacy': 'Privacy Policy',
  '/terms': 'Terms of Service',
};

/** The entries whose pages exist. */
const existing = (...paths: (keyof typeof labels)[]) =>
  paths.filter((to) => hasPage(to.replace(/#.*/, ''))).map((to) => ({ to, label: labels[to] }));

/** The links of the top bar and the sidebar. */
export const navigation = existing('/#features', '/demo', '/templates', '/articles', '/pricing');

/** The page links of the footer's columns. Contact, data requests and the download aren't pages. */
export const footerPages = {
  product: existing('/#features', '/demo', '/templates', '/pricing', '/waitlist'),
  company: existing(product.valuesPath, '/articles', '/help', '/end-contract', '/terms#the-service'),
  privacy: existing('/privacy', '/terms'),
};
