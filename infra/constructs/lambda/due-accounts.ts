import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../../schemas/background-functions.ts';
import { processesOf } from '../../../schemas/config/stripe-shares.ts';
import { PROMPT } from '../alarms/alarms.ts';
import { AppFunction, type FunctionSettings } from './app-function.ts';

const MINUTES = 3;

/**
 * The queue of accounts for which something is due. Hourly schedules send whatever is still due again, so
 * that nothing depends on a message: it is kept for a day, and so is the alarm about a dead letter.
 */
export class DueAccounts extends Construct {
  readonly #settings = { enforceSSL: true, retentionPeriod: Duration.days(1) };
  readonly #deadLetters = new Queue(this, 'DeadLetters', this.#settings);
  readonly #queue = new Queue(this, 'Queue', {
    ...this.#settings,
    // Lambda asks for six times the function's timeout.
    visibilityTimeout: Duration.minutes(6 * MINUTES),
    deadLetterQueue: { queue: this.#deadLetters, maxReceiveCount: 3 },
  });
  readonly url = this.#queue.queueUrl;
  /** Messages that have failed in all tries. */
  readonly failed: IMetric = this.#deadLetters.metricApproximateNumberOfMessagesVisible({
    period: PROMPT,
    statistic: 'max',
  });

  /** CDK's grant includes more. */
  grantSend(to: Function): void {
    const actions = ['sqs:SendMessage', 'sqs:GetQueueAttributes'];
    to.addToRolePolicy(new PolicyStatement({ actions, resources: [this.#queue.queueArn] }));
  }

  /** Adds the function that SQS calls to the schedules, whose log it shares. */
  addConsumer(scope: Construct, functions: FunctionSettings, log: ILogGroup): void {
    const entry = 'schedules/due-accounts';
    const handler = new AppFunction(scope, 'DueAccounts', {
      ...functions,
      log,
      entry,
      access: backgroundFunctions[entry],
      description: 'Decides expired plans, warns the owners of idle accounts, and deletes these.',
      timeout: Duration.minutes(MINUTES),
    });
    const maxConcurrency = processesOf(entry);
    const settings = { maxConcurrency, reportBatchItemFailures: true };
    handler.addEventSource(new SqsEventSource(this.#queue, settings));
  }
}
