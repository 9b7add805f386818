// All spellings that these domains deliver to one mailbox: dots and tags don't count
// (https://support.google.com/mail/answer/7436150).
const GMAIL = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox of an address in lower case. Addresses with the same result certainly reach the same person, so
 * a mail to one proves the others. Tagged addresses (`ada+shop@…`) of a mailbox have one result, of which
 * anybody can make up any number. The address without a tag has another: not every domain knows tags.
 */
export function mailboxOf(email: string): string {
  const [, local, tag, domain] = /^([^+]+)(\+.*)?@([^@]+)$/.exec(email) ?? [];
  if (local === undefined || domain === undefined) return email;
  if (GMAIL.includes(domain)) return `${local.replaceAll('.', '')}@gmail.com`;
  return tag === undefined ? email : `${local}+@${domain}`;
}
