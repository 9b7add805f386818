import type * as z from 'zod/mini';

/** Loopback hosts, as the URL parser writes them (RFC 8252, section 7.3). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that browsers handle themselves. No app can register them, and some run scripts. */
const BROWSER_SCHEMES = new Set(
  'about blob chrome chrome-extension data file filesystem ftp intent javascript mailto sms tel vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** Parameters that the relay appends. An address that contains one could pass for the relay's answer. */
const APPENDED = ['code', 'access_token', 'refresh_token', 'state', 'error', 'error_description'];

// Visible ASCII, without the backslash, which browsers read as a slash, and without `#`, because parameters
// are appended. This excludes full-width dots, look-alike letters, newlines and tabs.
const PLAIN = /^[!"$-[\]-~]+$/;
// Encoded control characters and backslashes are refused too: an app may decode the address once more.
const HIDDEN = /%(?:[01][0-9a-f]|7f|5c)/i;

/** A registered address. It may be sent codes, or tokens. */
export type RegisteredAddress = string & z.core.$brand<'RegisteredAddress'>;

/**
 * Whether an address equals a registered one exactly. On loopback hosts the port is ignored: an app listens
 * on any free port (RFC 8252, section 7.3). The path counts: another page may redirect elsewhere.
 */
export function isRegistered(address: string, registered: readonly string[]): address is RegisteredAddress {
  if (!mayBeRegistered(address)) return false;
  const wanted = withoutLoopbackPort(address);
  return registered.some((entry) => mayBeRegistered(entry) && withoutLoopbackPort(entry) === wanted);
}

/** Whether a stage may register an address: https, a private-use scheme, or http on a loopback host. */
export function mayBeRegistered(address: string): boolean {
  if (!PLAIN.test(address) || HIDDEN.test(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  // Parsers may correct an irregular address differently. Only the slash after a bare origin may be missing.
  if (url.href !== address && url.href !== `${address}/`) return false;
  if (url.username !== '' || url.password !== '' || url.hostname.endsWith('.')) return false;
  if (APPENDED.some((name) => url.searchParams.has(name))) return false;
  switch (url.protocol) {
    case 'https:':
      return true;
    case 'http:':
      return LOOPBACK.has(url.hostname);
    default:
      // RFC 8252 has `com.example.app:/callback`. Without the slash the rest is plain text, as in `data:`.
      return !BROWSER_SCHEMES.has(url.protocol) && address.startsWith(`${url.protocol}/`);
  }
}

function withoutLoopbackPort(address: string): string {
  const url = new URL(address);
  if (url.protocol !== 'http:') return address;
  url.port = '';
  return url.href;
}
