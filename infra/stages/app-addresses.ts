import type { SiteConfig } from '../../schemas/config/site-config.ts';
import { product } from '../../schemas/product/product.ts';
import type { AppAddress, Stage } from './stage.ts';

/** The desktop app, and apps under development: RFC 8252, 7.1 and 7.3. On loopback hosts any port matches. */
export const appAddresses: readonly AppAddress[] = [
  product.desktopCallback,
  'http://localhost/callback',
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
].map((address) => ({ address }));

/** The addresses of a stage's apps, with the site's own. */
export function relayAddressesOf(
  { relayAddresses }: Stage,
  siteUrl: string,
): Pick<SiteConfig, 'relayAddresses' | 'legacyAddresses'> {
  const all: readonly AppAddress[] = [
    ...relayAddresses,
    // Passes a code on to the desktop app, and shows it to users whose browser doesn't open the app.
    { address: `${siteUrl}/hits` },
    // A page of the site, which shows the tokens that an app would get and keeps nothing of them.
    { address: `${siteUrl}/oauth/demo`, legacy: true },
  ];
  return {
    relayAddresses: all.map(({ address }) => address),
    legacyAddresses: all.filter(({ legacy }) => legacy).map(({ address }) => address),
  };
}
