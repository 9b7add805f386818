import {
  bounceDomainOf,
  bounceServerOf,
  lineOf,
  mailDomainOf,
  mailRecordsOf,
  SPF_INCLUDE,
} from '../../../stages/mail-records.ts';
import { type Check, type Finding, warning } from '../check.ts';
import { sentenceOf } from '../sentence-of.ts';
import type { Target } from '../target.ts';

/**
 * The DNS records that let receivers trust our mail. SES sends without them, so a missing record stops no
 * deployment.
 */
export const mailRecords = ({ stage, records }: Target): Check => ({
  name: 'Mail (DNS)',
  needsCredentials: false,
  async run() {
    const { bounces, spf, dmarc } = mailRecordsOf(stage);
    const bounceDomain = bounceDomainOf(stage.mailbox);
    const create = (record: typeof bounces | typeof spf | typeof dmarc) =>
      `Create the DNS record ${lineOf(record)}`;
    try {
      const server = bounceServerOf(stage.region);
      const servers = await records.mx(bounceDomain);
      const findings: Finding[] = [];
      if (servers.length !== 1 || servers[0]?.toLowerCase() !== server) {
        const has = servers.length === 0 ? 'no MX record' : `the MX records ${servers.join(', ')}`;
        findings.push(
          warning(
            `${bounceDomain} has ${has}. It needs ${server} alone: until then SES sends from a domain of its own.`,
            create(bounces),
          ),
        );
      }
      const policies = (await records.txt(bounceDomain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
      if (!policies.some((text) => text.includes(SPF_INCLUDE)) || policies.length > 1) {
        findings.push(
          warning(
            `${bounceDomain} has ${policies.length > 1 ? 'several SPF records, which counts as none' : `no SPF record with ${SPF_INCLUDE}`}: receivers may take our mail for spam.`,
            create(spf),
          ),
        );
      }
      if (!(await hasDmarc(records.txt, mailDomainOf(stage.mailbox)))) {
        findings.push(
          warning(
            `${mailDomainOf(stage.mailbox)} has no DMARC record, nor has a domain above it: large mail providers ask for one.`,
            create(dmarc),
          ),
        );
      }
      return findings;
    } catch (thrown) {
      return [
        warning(
          `DNS could not be asked: ${sentenceOf(thrown)}`,
          'Run the preflight again; it changes nothing.',
        ),
      ];
    }
  },
});

/**
 * Receivers check the domain itself, then the domains above it (RFC 9989), except for the top-level domain.
 */
async function hasDmarc(txt: (name: string) => Promise<string[]>, domain: string): Promise<boolean> {
  const labels = domain.split('.');
  for (let above = 0; above < labels.length - 1; above += 1) {
    const name = `_dmarc.${labels.slice(above).join('.')}`;
    if ((await txt(name)).some((text) => /^v=DMARC1\b/.test(text))) return true;
  }
  return false;
}
