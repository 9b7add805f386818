/**
 * The product's own facts. Renaming the product, moving its mail or changing a price is an edit of this
 * file and of no other: pages, e-mails, functions and the stack all read it.
 */
export const product = {
  name: 'Selfsame',
  /** Prefix of stack names and of everything that needs a name a machine can type. */
  slug: 'selfsame',
  tagline: 'AI that helps you be you',
  /**
   * Where the public site stands: canonical addresses, the sitemap and feeds name it. A build doesn't know which stage
   * it is deployed to, and only one of them is for search engines.
   */
  siteOrigin: 'https://selfsame.example',
  supportEmail: 'support@selfsame.example',
  /** Domain our own mail comes from; each stage but production puts its name before it. */
  mailDomain: 'selfsame.example',
  /** Custom-scheme address on which the desktop app waits for the end of a sign-in. */
  desktopCallback: 'selfsame://auth/callback',
  valuesPath: '/why-selfsame',
  /** Always the latest release; the site never names a version. */
  downloadUrl: 'https://downloads.selfsame.example/mac/latest/Selfsame.dmg',
  templateFormUrl: 'https://forms.selfsame.example/templates',
  copyrightYear: 2025,
} as const;

/** Limits that the specification fixes (section 9). */
export const limits = {
  minimumPasswordLength: 6,
  minimumAge: 16,
  freeRequestsPerDay: 20,
} as const;

/** What the two plans cost and hold, in the words the pages show. */
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
