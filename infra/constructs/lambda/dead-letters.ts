import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Alarms, PROMPT } from '../alarms/alarms.ts';
import { allowFindings } from '../rule-exceptions.ts';

/**
 * The queue of scheduled runs that failed for good. It holds Lambda's records of runs that failed in all
 * their tries, and EventBridge Scheduler's records of runs that it couldn't start. `npm run ops -- redrive`
 * runs them again.
 */
export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { alarms }: { alarms: Alarms }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // SQS's maximum.
      retentionPeriod: Duration.days(14),
    });
    allowFindings(this.queue, 'This queue is itself a dead letter queue.', 'SQS3');
    alarms.add('DeadLetters', {
      severity: 'mail',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: PROMPT, statistic: 'max' }),
    });
  }
}
