import { ArnFormat, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity as SesIdentity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { product } from '../../../schemas/product/product.ts';
import { bounceDomainOf, lineOf, mailDomainOf, mailRecordsOf } from '../../stages/mail-records.ts';
import type { Stage } from '../../stages/stage.ts';
import { type Alarms, TWICE_AN_HOUR } from '../alarms/alarms.ts';
import { ownMetric } from '../alarms/event-metrics.ts';
import { addOutputs } from '../outputs.ts';
import { allowFindings } from '../rule-exceptions.ts';

export interface MailSenderProps {
  /** `mailbox` is the sender, whose domain becomes the SES identity. */
  stage: Pick<Stage, 'mailbox' | 'region'>;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

/**
 * An SES identity for the mailbox's domain, with a configuration set for all mail from it: our functions'
 * mail and Cognito's. SES stops mailing an address after a permanent bounce. It sends bounces and complaints
 * to EventBridge.
 */
export class MailSender extends Construct {
  /** The `From` of a mail: `Selfsame <no-reply@…>`. */
  readonly from: string;
  /** The identity whose domain SES verifies. */
  readonly identity: EmailIdentity;
  /** The configuration set for all mail that the identity sends. */
  readonly configurationSet: ConfigurationSet;

  constructor(scope: Construct, id: string, { stage, metricNamespace, alarms }: MailSenderProps) {
    super(scope, id);
    const { mailbox } = stage;
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      // Not for complaints: a press on "spam" in a mail that a stranger caused would lock the owner out.
      suppressionReasons: SuppressionReasons.BOUNCES_ONLY,
    });
    this.configurationSet.addEventDestination('Events', {
      // SES accepts no other bus.
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    this.identity = new EmailIdentity(this, 'Domain', {
      identity: SesIdentity.domain(mailDomainOf(mailbox)),
      configurationSet: this.configurationSet,
      // SES sends from its own domain until this domain's record exists.
      mailFromDomain: bounceDomainOf(mailbox),
    });
    this.from = `${product.name} <${mailbox}>`;
    // The first three, for DKIM, verify the domain: without them, SES refuses to send. The others let
    // receivers trust the domain's mail.
    const records = [
      ...this.identity.dkimRecords.map(({ name, value }) => `${name} CNAME ${value}`),
      ...Object.values(mailRecordsOf(stage)).map(lineOf),
    ];
    addOutputs(this, Object.fromEntries(records.map((record, index) => [`MailRecord${index + 1}`, record])));
    alarms.add('UnsentMail', {
      severity: 'mail',
      metric: ownMetric('UnsentMail', metricNamespace),
      periods: TWICE_AN_HOUR,
    });
  }

  grantSend(to: Function): void {
    const configurationSetArn = Stack.of(this).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: this.configurationSet.configurationSetName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    // CDK's grant adds `SendRawEmail`, whose sender and recipients are inside the mail.
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        // SES requires the right to both: https://github.com/aws/aws-cdk/issues/34402
        resources: [this.identity.emailIdentityArn, configurationSetArn],
      }),
    );
  }
}

/** Lets a function ask whether SES has stopped mailing an address, or make SES mail it again. */
export function grantSuppressed(to: Function, verb: 'Get' | 'Delete'): void {
  const actions = [`ses:${verb}SuppressedDestination`];
  to.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }));
  const reason = "The list is the account's, and the action takes no resource.";
  allowFindings(to.role ?? to, reason, 'IAM5[Resource::*]');
}
