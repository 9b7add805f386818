/** To rename the product or move its mail, edit this alone. Plans and prices are in `plans-and-offers.ts`. */
export const product = {
  name: 'Selfsame',
  /**
   * The name in identifiers: stacks, secrets, marks at Stripe. It stays when the product is renamed: another
   * slug would deploy a second, empty stack and leave all customers at Stripe without an owner.
   */
  slug: 'selfsame',
  tagline: 'AI that helps you be you',
  /** The origin in canonical addresses, the sitemap and feeds, in all stages. */
  siteOrigin: 'https://selfsame.example',
  supportEmail: 'support@selfsame.example',
  /** The domain of sender addresses. Stages other than production prefix it with their name. */
  mailDomain: 'selfsame.example',
  /** The custom-scheme address at which the desktop app receives a finished sign-in. */
  desktopCallback: 'selfsame://auth/callback',
  valuesPath: '/why-selfsame',
  /** The latest release, unless the newest file of `web/content/changelog` names its own disk image. */
  downloadUrl: 'https://downloads.selfsame.example/mac/latest/Selfsame.dmg',
  templateFormUrl: 'https://forms.selfsame.example/templates',
  copyrightYear: 2025,
} as const;

/** Limits that pages, functions and legal texts share. */
export const limits = {
  minimumPasswordLength: 6,
  /** In characters as users see them. Cognito allows 2,048, too many for a heading. */
  longestName: 100,
  minimumAge: 16,
  freeRequestsPerDay: 20,
  /** In UTF-16 units. A longer name would keep its owner from signing in: GitHub's have up to 255. */
  storedNameLength: 256,
} as const;

/**
 * Whom the product is sold to, which decides what buyers are told. `eu` and `uk`: the right of withdrawal, in
 * the purchase mail too (Directive 2011/83, articles 6 and 8). `uk`: a reminder every six months instead of
 * every year (Digital Markets, Competition and Consumers Act 2024, from spring 2027). A higher charge is
 * announced as California asks for, to everybody.
 */
export const soldTo: ReadonlySet<'us' | 'eu' | 'uk'> = new Set(['us']);

/** Plus ends at once, and everything paid for it is refunded. `days`: after the day of the purchase. */
export const withdrawal: Readonly<{ offered: boolean; days: number }> = {
  offered: soldTo.has('eu') || soldTo.has('uk'),
  days: 14,
};
