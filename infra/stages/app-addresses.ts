import { product } from '../../schemas/product.ts';

/** The desktop app, and apps under development: RFC 8252, 7.1 and 7.3. On loopback hosts any port matches. */
export const appAddresses = [
  product.desktopCallback,
  'http://localhost/callback',
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
] as const;
