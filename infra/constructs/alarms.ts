import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export interface AlarmProps {
  /** Summed over each period. */
  metric: IMetric;
  /** What a person loses while this goes on. It is the first thing whoever is woken reads. */
  loss: string;
  /** Where to look first. */
  look: string;
  /** @default 1, in any period */
  threshold?: number;
  /** Alarm when the metric falls below the threshold, or stops coming, instead of reaching it. @default false */
  onSilence?: boolean;
}

/** Everything that should wake somebody, and how it does. */
export class Alarms extends Construct {
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, { email }: { email?: string | undefined }) {
    super(scope, id);
    this.#topic = new Topic(this, 'Topic', { enforceSSL: true });
    if (email) this.#topic.addSubscription(new EmailSubscription(email));
  }

  add(id: string, { metric, loss, look, threshold = 1, onSilence = false }: AlarmProps): void {
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription: `${loss} ${look}`,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: onSilence
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: onSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
  }
}

/** The period of alarms that shouldn't wait: long enough for one retry, short enough to matter. */
export const PROMPT = Duration.minutes(5);
