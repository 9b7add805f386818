import type { Function } from 'aws-cdk-lib/aws-lambda';
import { type CfnEmailIdentity, EmailIdentity, Identity as SesIdentity } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { notices } from '../../schemas/notices.ts';
import { product } from '../../schemas/product.ts';
import { type Alarms, TWICE_AN_HOUR } from './alarms.ts';
import { countLines, linesCounted } from './event-metrics.ts';

export interface MailSenderProps {
  /** The sender. Its domain becomes the SES identity. */
  mailbox: `${string}@${string}`;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

/** An SES identity for the mailbox's domain. Functions send mail with it; Cognito sends its own. */
export class MailSender extends Construct {
  /** The `From` of a mail: `Selfsame <no-reply@…>`. */
  readonly from: string;
  /** DNS records that verify the domain. Without them SES refuses to send. */
  readonly records: readonly { name: string; value: string }[];
  /** What verifies the domain in SES. */
  readonly identity: EmailIdentity;
  readonly #metricNamespace: string;

  constructor(scope: Construct, id: string, { mailbox, metricNamespace, alarms }: MailSenderProps) {
    super(scope, id);
    const [, domain = ''] = mailbox.split('@');
    this.identity = new EmailIdentity(this, 'Domain', { identity: SesIdentity.domain(domain) });
    // The template says what is sent. The local world lists it, so that its gallery shows every mail.
    (this.identity.node.defaultChild as CfnEmailIdentity).addMetadata('notices', notices);
    this.#metricNamespace = metricNamespace;
    this.from = `${product.name} <${mailbox}>`;
    this.records = this.identity.dkimRecords;
    alarms.add('UnsentMail', {
      severity: 'mail',
      metric: linesCounted('UnsentMail', metricNamespace),
      periods: TWICE_AN_HOUR,
      loss: 'Users get no mail about a changed password, a linked provider or an account that is or will be deleted, and can not change their address.',
      look: 'See the identity of the domain in SES. Without its DNS records SES refuses to send.',
    });
  }

  /**
   * Also counts the mails that `to` couldn't send. The function succeeds without the mail, so no error shows
   * it.
   */
  grantSend(to: Function): void {
    // CDK's own grant adds `SendRawEmail`, whose sender and recipients are in the mail itself.
    this.identity.grant(to, 'ses:SendEmail');
    countLines(to, 'UnsentMail', this.#metricNamespace);
  }
}
