import { Annotations, ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export interface AlarmProps {
  /** With its own period and statistic. */
  metric: IMetric;
  /** A sentence: what users lose. The alarm's mail begins with it. */
  loss: string;
  /** Where to look first: a sentence that begins with `See`. A test demands it. */
  look: string;
  /** Heading of the alarm's entry in `.github/runbook.md`. @default the alarm's id */
  runbookEntry?: string;
  /** @default 1 */
  threshold?: number;
  /** In how many of the last periods the threshold has to be reached. @default 1 of 1 */
  periods?: { reached: number; of: number };
  /**
   * Alarm if the metric is below the threshold or has no data, instead of reaching the threshold. @default
   * false
   */
  onSilence?: boolean;
}

/** The stack's alarms, and the topic that they publish to. */
export class Alarms extends Construct {
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, { email }: { email?: string | undefined }) {
    super(scope, id);
    this.#topic = new Topic(this, 'Topic', { enforceSSL: true });
    const stack = Stack.of(this);
    // A topic policy replaces SNS's default policy. With only the Deny of `enforceSSL`, nothing may publish.
    this.#topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowCloudWatchAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.#topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnLike: {
            'aws:SourceArn': stack.formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: '*',
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    if (email) {
      this.#topic.addSubscription(new EmailSubscription(email));
    } else {
      // `deploy:production` runs with --strict, which turns this warning into an error.
      Annotations.of(this).addWarningV2(
        'selfsame:no-alarm-email',
        'Alarms of this stage are sent to no email address. Set alarmEmail in infra/stages.ts.',
      );
    }
  }

  add(
    id: string,
    {
      metric,
      loss,
      look,
      runbookEntry = id,
      threshold = 1,
      periods = { reached: 1, of: 1 },
      onSilence = false,
    }: AlarmProps,
  ): void {
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription: `${loss} ${look} Runbook: .github/runbook.md, ${runbookEntry}.`,
      threshold,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.reached,
      comparisonOperator: onSilence
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: onSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
  }
}

/** The period of urgent alarms: long enough for one retry. */
export const PROMPT = Duration.minutes(5);
