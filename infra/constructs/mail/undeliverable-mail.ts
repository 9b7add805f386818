import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../../schemas/background-functions.ts';
import { CONFIGURATION_SET_TAG, MAIL_EVENTS } from '../../../schemas/config/mail-event.ts';
import { AppFunction, type FunctionSettings } from '../lambda/app-function.ts';
import type { DeadLetters } from '../lambda/dead-letters.ts';

export interface UndeliverableMailProps {
  /** Name of the SES configuration set whose bounces and complaints are handled. */
  configurationSet: string;
  functions: FunctionSettings;
  deadLetters: DeadLetters;
}

/** Calls a function for each mail that bounced or was marked as spam. */
export class UndeliverableMail extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { configurationSet, functions, deadLetters }: UndeliverableMailProps,
  ) {
    super(scope, id);
    const entry = 'events/undeliverable-mail';
    const handler = new AppFunction(this, 'UndeliverableMail', {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description: 'Logs bounces and complaints, and withdraws the warning of a deletion.',
      timeout: Duration.seconds(10),
    });
    handler.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(deadLetters.queue) });
    new Rule(this, 'Rule', {
      description: 'Mail of this stage that bounced or was marked as spam.',
      // SES sends events to the account's default bus, which all stages share.
      eventPattern: {
        source: ['aws.ses'],
        detailType: Object.values(MAIL_EVENTS),
        detail: { mail: { tags: { [CONFIGURATION_SET_TAG]: [configurationSet] } } },
      },
      targets: [new LambdaFunction(handler)],
    });
  }
}
