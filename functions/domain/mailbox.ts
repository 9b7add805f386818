import { asciiLowerCase } from './ascii-lower-case.ts';

// Gmail ignores dots in the local part.
const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox that an address leads to at most providers: without a tag (`ada+shop@…`) and Gmail's
 * dots. Only for counting: where a provider knows no tags, two people share a count.
 */
export function mailboxOf(email: string): string {
  const address = asciiLowerCase(email);
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const local = address.slice(0, at).replace(/\+.*/, '');
  return GMAIL.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}
