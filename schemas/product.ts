/**
 * Facts about the product. Pages, mails, functions and the stack read its name, its addresses and its price
 * from here.
 */
export const product = {
  name: 'Selfsame',
  /** The name in identifiers, such as the stack's. */
  slug: 'selfsame',
  tagline: 'AI that helps you be you',
  /**
   * Origin of production, for canonical links, the sitemap and feeds. A build doesn't know its stage, and
   * only production is for search engines.
   */
  siteOrigin: 'https://selfsame.example',
  supportEmail: 'support@selfsame.example',
  /** Domain that mail is sent from. Other stages than production put their name before it. */
  mailDomain: 'selfsame.example',
  /** Custom-scheme address where the desktop app waits for a sign-in. */
  desktopCallback: 'selfsame://auth/callback',
  valuesPath: '/why-selfsame',
  /** The latest release. The site names no version. */
  downloadUrl: 'https://downloads.selfsame.example/mac/latest/Selfsame.dmg',
  templateFormUrl: 'https://forms.selfsame.example/templates',
  copyrightYear: 2025,
} as const;

/** Limits that pages, functions and the user pool share. */
export const limits = {
  minimumPasswordLength: 6,
  minimumAge: 16,
  freeRequestsPerDay: 20,
} as const;

/** The two plans: prices and features, in the pages' words. */
export const plans = {
  free: {
    name: 'Free',
    priceInCents: 0,
    price: '$0',
    period: 'forever',
    description: 'Everything you need to make AI sound like you.',
    features: [
      `${limits.freeRequestsPerDay} AI requests per day`,
      'Unlimited commands',
      'Unlimited contexts',
      'Customization',
    ],
  },
  plus: {
    name: 'Plus',
    priceInCents: 500,
    currency: 'usd',
    price: '$5',
    period: 'per month',
    description: 'For people who write all day.',
    features: ['Unlimited AI requests', 'Faster responses', 'Better models', 'Response type selection'],
  },
} as const;
