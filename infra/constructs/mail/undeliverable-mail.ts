import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../../schemas/background-functions.ts';
import { CONFIGURATION_SET_TAG, MAIL_EVENTS } from '../../../schemas/config/mail-event.ts';
import { AppFunction, type FunctionSettings } from '../lambda/app-function.ts';
import type { MailSender } from './mail-sender.ts';

export interface UndeliverableMailProps {
  /** Its configuration set's bounces and complaints are handled. */
  mail: Pick<MailSender, 'configurationSet'>;
  functions: FunctionSettings;
}

/** Calls a function for each mail that bounced or was marked as spam. */
export class UndeliverableMail extends Construct {
  readonly handler: AppFunction;

  constructor(scope: Construct, id: string, { mail, functions }: UndeliverableMailProps) {
    super(scope, id);
    const entry = 'events/undeliverable-mail';
    this.handler = new AppFunction(this, 'UndeliverableMail', {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description: 'Logs bounces and complaints, and withdraws the warning of a deletion.',
      timeout: Duration.seconds(10),
    });
    this.handler.configureAsyncInvoke({ retryAttempts: 2 });
    new Rule(this, 'Rule', {
      description: 'Mail of this stage that bounced or was marked as spam.',
      // SES sends events to the account's default bus, which all stages share.
      eventPattern: {
        source: ['aws.ses'],
        detailType: Object.values(MAIL_EVENTS),
        detail: { mail: { tags: { [CONFIGURATION_SET_TAG]: [mail.configurationSet.configurationSetName] } } },
      },
      targets: [new LambdaFunction(this.handler)],
    });
  }
}
