import { product } from '../../../../schemas/product/product.ts';
import { hasPage } from '../../pages/pages.ts';

interface Entry {
  label: string;
  to: string;
}

/** The entries whose pages exist. */
const existing = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ to }) => hasPage(to.replace(/#.*/, '')));

/** The links of the top bar and the sidebar. */
export const navigation = existing([
  { label: 'Features', to: '/#features' },
  { label: 'Demo', to: '/demo' },
  { label: 'Templates', to: '/templates' },
  { label: 'Articles', to: '/articles' },
  { label: 'Pricing', to: '/pricing' },
]);

/** The page links of the footer's columns. Contact, data requests and the download aren't pages. */
export const footerPages = {
  product: existing([
    { label: 'Features', to: '/#features' },
    { label: 'Demo', to: '/demo' },
    { label: 'Templates', to: '/templates' },
    { label: 'Pricing', to: '/pricing' },
    { label: 'Windows Waitlist', to: '/waitlist' },
  ]),
  company: existing([
    { label: 'Values', to: product.valuesPath },
    { label: 'Articles', to: '/articles' },
    { label: 'Help', to: '/help' },
    { label: 'End a contract', to: '/end-contract' },
    { label: 'Accessibility', to: '/terms#the-service' },
  ]),
  privacy: existing([
    { label: 'Privacy Policy', to: '/privacy' },
    { label: 'Terms of Service', to: '/terms' },
  ]),
};
