export interface DnsRecord {
  name: string;
  type: 'MX' | 'TXT';
  value: string;
}

/** The domain of a mailbox like `no-reply@selfsame.example`. */
export const mailDomainOf = (mailbox: string): string => mailbox.split('@')[1] ?? '';

/** Where bounces come back to. SES demands a domain that sends and takes no other mail. */
export const bounceDomainOf = (mailbox: string): string => `bounce.${mailDomainOf(mailbox)}`;

/** What receivers look for in the SPF record of the envelope's sender. */
export const SPF_INCLUDE = 'include:amazonses.com';

/** Where SES takes bounces: https://docs.aws.amazon.com/ses/latest/dg/mail-from.html */
export const bounceServerOf = (region: string): string => `feedback-smtp.${region}.amazonses.com`;

/**
 * The DNS records beside those of DKIM: bounces come back to SES, SPF holds for our domain, and DMARC says
 * what receivers do with other mail. Without the first, SES sends from a domain of its own.
 */
export function mailRecordsOf({ mailbox, region }: { mailbox: string; region: string }) {
  return {
    bounces: { name: bounceDomainOf(mailbox), type: 'MX', value: `10 ${bounceServerOf(region)}` },
    spf: { name: bounceDomainOf(mailbox), type: 'TXT', value: `"v=spf1 ${SPF_INCLUDE} ~all"` },
    dmarc: { name: `_dmarc.${mailDomainOf(mailbox)}`, type: 'TXT', value: '"v=DMARC1; p=none"' },
  } as const satisfies Record<string, DnsRecord>;
}

/** A record as a line of a zone. */
export const lineOf = ({ name, type, value }: DnsRecord): string => `${name} ${type} ${value}`;
