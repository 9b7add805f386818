import {
  type CertificateDetail,
  DescribeCertificateCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm';
import { type Check, error, warning } from '../check.ts';
import { EDGE_REGION } from '../../../stages/edge-region.ts';
import { namesOf } from '../../../stages/site-names.ts';
import type { Target } from '../target.ts';

export const domain = ({ acm, stage, stageName }: Target): Check => ({
  name: 'Domain and certificate',
  needsCredentials: true,
  async run() {
    if (!stage.domain) {
      if (!stage.keepsData) return [];
      return [
        warning(
          'The site has no domain of its own, only that of CloudFront. A later change of the address signs everybody out.',
          `${requestOf(['www.your-domain.com', 'your-domain.com'])}\nSet domain in infra/stages/${stageName}.ts with the ARN that is printed, and run the preflight again.`,
        ),
      ];
    }
    const names = namesOf(stage.domain);
    const both = names.join(' and ');
    const certificate = await describe(acm, stage.domain.certificateArn);
    if (!certificate) {
      return [error(`There is no certificate ${stage.domain.certificateArn}.`, requestOf(names))];
    }
    const certified = [certificate.DomainName ?? '', ...(certificate.SubjectAlternativeNames ?? [])];
    const missing = names.filter((name) => !certified.some((each) => covers(each, name)));
    if (missing.length > 0) {
      return [error(`The certificate of the stage is not for ${missing.join(' and ')}.`, requestOf(names))];
    }
    if (certificate.Status === 'ISSUED') return [];
    return [
      error(`The certificate for ${both} is not issued: ${certificate.Status}.`, fixOf(certificate, names)),
    ];
  },
});

/**
 * ACM provides the records some seconds after the request. A certificate that isn't pending gets no more
 * records.
 */
function fixOf({ Status, DomainValidationOptions = [] }: CertificateDetail, names: string[]): string {
  if (Status !== 'PENDING_VALIDATION') return requestOf(names);
  const records = DomainValidationOptions.flatMap(({ ResourceRecord, ValidationStatus }) =>
    ResourceRecord && ValidationStatus !== 'SUCCESS'
      ? [`Create the DNS record ${ResourceRecord.Name} ${ResourceRecord.Type} ${ResourceRecord.Value}`]
      : [],
  );
  return [...records, 'Then wait some minutes, and run the preflight again.'].join('\n');
}

async function describe(acm: Target['acm'], CertificateArn: string): Promise<CertificateDetail | undefined> {
  try {
    return (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate;
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundException) return undefined;
    throw thrown;
  }
}

/** A wildcard matches exactly one label (RFC 6125, 6.4.3). */
const covers = (certified: string, name: string): boolean =>
  certified.startsWith('*.') ? name.split('.').slice(1).join('.') === certified.slice(2) : certified === name;

const requestOf = ([name, ...others]: string[]): string =>
  [
    `aws acm request-certificate --region ${EDGE_REGION} --domain-name ${name}`,
    ...(others.length > 0 ? [`--subject-alternative-names ${others.join(' ')}`] : []),
    '--validation-method DNS',
  ].join(' ');
