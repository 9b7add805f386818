import { withPriceText } from './price.ts';

/**
 * The product's own facts. Renaming the product, moving its mail or changing a price is an edit of this
 * file alone: pages, e-mails, functions and the stack all read it.
 */
export const product = {
  name: 'Selfsame',
  /** The name in identifiers: stacks, secrets, files. */
  slug: 'selfsame',
  tagline: 'AI that helps you be you',
  /**
   * The origin that canonical addresses, the sitemap and feeds name. A build doesn't know which stage it is for,
   * and search engines list one stage only.
   */
  siteOrigin: 'https://selfsame.example',
  supportEmail: 'support@selfsame.example',
  /** The domain of sender addresses. Stages other than production prefix it with their name. */
  mailDomain: 'selfsame.example',
  /** Custom-scheme address through which the desktop app receives a finished sign-in. */
  desktopCallback: 'selfsame://auth/callback',
  valuesPath: '/why-selfsame',
  /** Always the latest release; the site never names a version. */
  downloadUrl: 'https://downloads.selfsame.example/mac/latest/Selfsame.dmg',
  templateFormUrl: 'https://forms.selfsame.example/templates',
  copyrightYear: 2025,
} as const;

/** Limits that pages, functions and legal texts share. */
export const limits = {
  minimumPasswordLength: 6,
  minimumAge: 16,
  freeRequestsPerDay: 20,
} as const;

/** What the two plans cost and hold, in the words the pages show. */
export const plans = {
  free: withPriceText({
    name: 'Free',
    priceInCents: 0,
    currency: 'usd',
    interval: null,
    description: 'Everything you need to make AI sound like you.',
    features: [
      `${limits.freeRequestsPerDay} AI requests per day`,
      'Unlimited commands',
      'Unlimited contexts',
      'Customization',
    ],
  }),
  plus: withPriceText({
    name: 'Plus',
    priceInCents: 500,
    currency: 'usd',
    interval: 'month',
    description: 'For people who write all day.',
    features: ['Unlimited AI requests', 'Faster responses', 'Better models', 'Response type selection'],
  }),
};
