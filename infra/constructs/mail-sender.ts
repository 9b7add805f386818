import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { EmailIdentity, Identity as SesIdentity } from 'aws-cdk-lib/aws-ses';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { LOG_EVENT_FIELD, type LogEvent } from '../../schemas/log-events.ts';
import { product } from '../../schemas/product.ts';
import { type Alarms, PROMPT } from './alarms.ts';

export interface MailSenderProps {
  /** Whose domain becomes the identity. */
  mailbox: `${string}@${string}`;
  /** Of the metric read from logs. */
  metricNamespace: string;
  alarms: Alarms;
}

const METRIC = 'UnsentMail';

/** The sender of the mail that Cognito doesn't send: an SES identity for the mailbox's domain. */
export class MailSender extends Construct {
  /** As it stands in a mail's From. */
  readonly from: string;
  /** DNS records that prove the domain ours. Until they are there, SES refuses to send. */
  readonly records: readonly { name: string; value: string }[];
  readonly #identity: EmailIdentity;
  readonly #metricNamespace: string;

  constructor(scope: Construct, id: string, { mailbox, metricNamespace, alarms }: MailSenderProps) {
    super(scope, id);
    const [, domain = ''] = mailbox.split('@');
    this.#identity = new EmailIdentity(this, 'Domain', { identity: SesIdentity.domain(domain) });
    this.#metricNamespace = metricNamespace;
    this.from = `${product.name} <${mailbox}>`;
    this.records = this.#identity.dkimRecords;
    alarms.add('UnsentMail', {
      metric: new Metric({
        namespace: metricNamespace,
        metricName: METRIC,
        period: PROMPT,
        statistic: 'sum',
      }),
      loss: 'Nobody is told that their password was changed or their account deleted.',
      look: 'See the domain’s identity in SES: without its DNS records it refuses to send.',
    });
  }

  /** Also counts what `to` says it couldn't send: it goes on without the mail, so nothing else would show it. */
  grantSend(to: Function): void {
    this.#identity.grantSendEmail(to);
    to.logGroup.addMetricFilter('UnsentMail', {
      filterPattern: FilterPattern.stringValue(LOG_EVENT_FIELD, '=', 'mail-not-sent' satisfies LogEvent),
      metricNamespace: this.#metricNamespace,
      metricName: METRIC,
    });
  }
}
