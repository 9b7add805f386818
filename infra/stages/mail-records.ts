export interface DnsRecord {
  name: string;
  type: 'MX' | 'TXT';
  value: string;
}

/** The domain of a mailbox like `no-reply@selfsame.example`. */
export const mailDomainOf = (mailbox: string): string => mailbox.split('@')[1] ?? '';

/** The domain that receives bounces. SES requires a domain that sends and receives no other mail. */
export const bounceDomainOf = (mailbox: string): string => `bounce.${mailDomainOf(mailbox)}`;

/**
 * The DNS records besides DKIM's: bounces go to SES, SPF is valid for our domain, and DMARC tells receivers
 * how to treat other mail. Without the first record, SES sends from a domain of its own:
 * https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
 */
export function mailRecordsOf({ mailbox, region }: { mailbox: string; region: string }) {
  return {
    bounces: { name: bounceDomainOf(mailbox), type: 'MX', value: `10 feedback-smtp.${region}.amazonses.com` },
    spf: { name: bounceDomainOf(mailbox), type: 'TXT', value: '"v=spf1 include:amazonses.com ~all"' },
    dmarc: { name: `_dmarc.${mailDomainOf(mailbox)}`, type: 'TXT', value: '"v=DMARC1; p=none"' },
  } as const satisfies Record<string, DnsRecord>;
}

/** A record as a line of a zone. */
export const lineOf = ({ name, type, value }: DnsRecord): string => `${name} ${type} ${value}`;
