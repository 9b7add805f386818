import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Alarms, PROMPT } from './alarms.ts';
import { allowFindings } from './rule-exceptions.ts';

/**
 * The queue of scheduled runs that failed for good: Lambda's record of a run whose tries have failed, and
 * EventBridge Scheduler's of a run that it couldn't start. `npm run redrive` runs them again.
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
    allowFindings(this.queue, 'It is a queue of dead letters itself.', 'SQS3');
    alarms.add('DeadLetters', {
      severity: 'mail',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: PROMPT, statistic: 'max' }),
      loss: 'A scheduled job failed in all its tries: plans may stay Plus after their end, a lost webhook may not be made up for, a refund may not be tried again.',
      look: 'See npm run redrive -- <stage> --list: which job, and its error.',
    });
  }
}
