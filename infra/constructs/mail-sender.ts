import { ArnFormat, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import {
  type CfnEmailIdentity,
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity as SesIdentity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { notices } from '../../schemas/notices.ts';
import { product } from '../../schemas/product.ts';
import { bounceDomainOf, lineOf, mailDomainOf, mailRecordsOf } from '../mail-records.ts';
import type { Stage } from '../stages/stage.ts';
import { type Alarms, TWICE_AN_HOUR } from './alarms.ts';
import { countLines, linesCounted } from './event-metrics.ts';
import { allowFindings } from './rule-exceptions.ts';

export interface MailSenderProps {
  /** `mailbox` is the sender. Its domain becomes the SES identity. */
  stage: Pick<Stage, 'mailbox' | 'region'>;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

/**
 * An SES identity for the mailbox's domain, with a configuration set for all of its mail: our functions' and
 * Cognito's. SES doesn't mail an address again that bounced for good or complained, and sends both kinds of
 * event to EventBridge.
 */
export class MailSender extends Construct {
  /** The `From` of a mail: `Selfsame <no-reply@…>`. */
  readonly from: string;
  /**
   * DNS records as lines of a zone. The first three, of DKIM, verify the domain: without them SES refuses to
   * send. The others let receivers trust its mail.
   */
  readonly records: readonly string[];
  /** What verifies the domain in SES. */
  readonly identity: EmailIdentity;
  /** Of all mail that the identity sends. */
  readonly configurationSet: ConfigurationSet;
  readonly #metricNamespace: string;

  constructor(scope: Construct, id: string, { stage, metricNamespace, alarms }: MailSenderProps) {
    super(scope, id);
    const { mailbox } = stage;
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      // Also SES's default for an account since November 2019. Said here, it holds whatever the account says.
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSet.addEventDestination('Events', {
      // SES takes no other bus.
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    this.identity = new EmailIdentity(this, 'Domain', {
      identity: SesIdentity.domain(mailDomainOf(mailbox)),
      configurationSet: this.configurationSet,
      // Until its record exists, SES sends from a domain of its own.
      mailFromDomain: bounceDomainOf(mailbox),
    });
    // The template says what is sent. The local world lists it, so that its gallery shows every mail.
    (this.identity.node.defaultChild as CfnEmailIdentity).addMetadata('notices', notices);
    this.#metricNamespace = metricNamespace;
    this.from = `${product.name} <${mailbox}>`;
    this.records = [
      ...this.identity.dkimRecords.map(({ name, value }) => `${name} CNAME ${value}`),
      ...Object.values(mailRecordsOf(stage)).map(lineOf),
    ];
    alarms.add('UnsentMail', {
      severity: 'mail',
      metric: linesCounted('UnsentMail', metricNamespace),
      periods: TWICE_AN_HOUR,
      loss: 'Users get no mail about a changed password, a linked provider or an account that is or will be deleted, and can not change their address.',
      look: 'See the identity of the domain in SES. Without its DNS records SES refuses to send.',
    });
    alarms.add('SuppressionNotRead', {
      severity: 'mail',
      metric: linesCounted('SuppressionNotRead', metricNamespace),
      periods: TWICE_AN_HOUR,
      loss: 'Users whose address SES does not mail any more wait for a mail that never comes, and are not told.',
      look: 'See the lines suppression-not-read in the logs of functions/triggers/pre-sign-up.ts, functions/triggers/custom-message.ts and functions/api/change-email.ts.',
    });
  }

  /**
   * Also counts the mails that `to` couldn't send. The function succeeds without the mail, so no error shows
   * it.
   */
  grantSend(to: Function): void {
    // CDK's own grant adds `SendRawEmail`, whose sender and recipients are in the mail itself.
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        // SES asks for the right to both: https://github.com/aws/aws-cdk/issues/34402
        resources: [this.identity.emailIdentityArn, this.#configurationSetArn()],
      }),
    );
    countLines(to, 'UnsentMail', this.#metricNamespace);
  }

  /**
   * Lets a function ask whether SES has stopped mailing an address. Also counts the questions that SES didn't
   * answer: the function goes on, so no error shows it.
   */
  grantLookAtSuppressed(to: Function): void {
    countLines(to, 'SuppressionNotRead', this.#metricNamespace);
    to.addToRolePolicy(new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] }));
    const reason = "The list is the account's, and the action takes no resource.";
    allowFindings(to.role ?? to, reason, 'IAM5[Resource::*]');
  }

  #configurationSetArn(): string {
    return Stack.of(this).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: this.configurationSet.configurationSetName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  }
}
