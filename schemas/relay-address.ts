import * as z from 'zod/mini';

/** Hosts that never leave the machine, as the URL parser writes them (RFC 8252, section 7.3). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Schemes that a browser has a meaning of its own for: no app can own them, and some of them run what they hold. What is left
 * beside https are the private-use schemes of RFC 8252, section 7.1.
 */
const TAKEN = new Set([
  'about:',
  'blob:',
  'chrome:',
  'chrome-extension:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'sms:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

/** What the relay appends; an address that brings its own would speak in the relay's name. */
const APPENDED = ['access_token', 'refresh_token', 'state', 'error', 'error_description'];

// Visible ASCII without the backslash, which browsers take for a slash, and without a fragment, which would swallow what is
// appended. Full-width dots, look-alike letters, newlines and tabs all end here.
const PLAIN = /^[!"$-[\]-~]+$/;
// Whoever decodes once more than we do must not find a control character or a backslash either.
const HIDDEN = /%(?:[01][0-9a-f]|7f|5c)/i;

/** An address that is on the list, and may be sent tokens. */
export type RegisteredAddress = string & z.core.$brand<'RegisteredAddress'>;

/**
 * What may stand on a stage's list: https, a private-use scheme, or http on the machine itself, written exactly as a
 * browser reads it.
 */
export const RelayAddress = z.string().check(
  z.refine(mayBeRegistered, {
    error:
      'A relay address is https, a scheme of an app’s own, or http on localhost, 127.0.0.1 or [::1], as plain as can be.',
  }),
);

/**
 * Whether the relay may send tokens to an address. It has to be on the list to the letter. On the machine itself
 * (http://localhost, http://127.0.0.1, http://[::1]) the port is left out of the comparison: an app takes the port it gets
 * (RFC 8252, section 7.3). The path is not, or a page of somebody's own server that sends its visitors on would do.
 */
export function isRegistered(address: string, registered: readonly string[]): address is RegisteredAddress {
  if (!mayBeRegistered(address)) return false;
  const wanted = withoutLoopbackPort(address);
  return registered.some((entry) => mayBeRegistered(entry) && withoutLoopbackPort(entry) === wanted);
}

function mayBeRegistered(address: string): boolean {
  if (!PLAIN.test(address) || HIDDEN.test(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  // A parser that has to mend an address may read another one than the next parser does. Only the slash of a bare origin may lack.
  if (url.href !== address && url.href !== `${address}/`) return false;
  if (url.username !== '' || url.password !== '' || url.hostname.endsWith('.')) return false;
  if (APPENDED.some((name) => url.searchParams.has(name))) return false;
  switch (url.protocol) {
    case 'https:':
      return true;
    case 'http:':
      return LOOPBACK.has(url.hostname);
    default:
      // RFC 8252 writes com.example.app:/callback; what has no slash is no address but a text, as mailto: and data: are.
      return !TAKEN.has(url.protocol) && address.startsWith(`${url.protocol}/`);
  }
}

/** The address itself where it leaves the machine. */
function withoutLoopbackPort(address: string): string {
  const url = new URL(address);
  if (url.protocol !== 'http:') return address;
  url.port = '';
  return url.href;
}
