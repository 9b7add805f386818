import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type LogQuery, logsLink } from './console-link.ts';

/** `page`: a user loses something now, and a person can help. `mail`: it can wait for the morning. */
export type Severity = 'page' | 'mail';

export interface AlarmProps {
  severity: Severity;
  /** With its own period and statistic. */
  metric: IMetric;
  /** A sentence: what users lose. */
  loss: string;
  /** Where to look first: a sentence that begins with `See`. A test demands it. */
  look: string;
  /** The log that the alarm's mail links to. Absent where no log says more. */
  logs?: LogQuery;
  /** @default 1 */
  threshold?: number;
  /** In how many of the last periods the threshold has to be reached. @default 1 of 1 */
  periods?: { reached: number; of: number };
  /**
   * For a metric that has data only while something runs: alarm once it has none. A new alarm has no data
   * either, and stays silent until there has been some. @default false
   */
  onSilence?: boolean;
}

interface AlarmsProps {
  /** Gets all alarms. */
  email: string;
  /** A pager's HTTPS address. Gets the alarms that page. */
  pageUrl?: string | undefined;
  /** Where the runbook can be read in a browser. @default its path in the repository */
  runbookUrl?: string | undefined;
}

/** A stack's alarms, and a topic for each severity that they have. */
export class Alarms extends Construct {
  readonly #props: AlarmsProps;
  readonly #topics = new Map<Severity, Topic>();
  readonly #all: Alarm[] = [];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.#props = props;
  }

  /** All alarms so far, for the dashboard. */
  get all(): readonly Alarm[] {
    return this.#all;
  }

  /** The id is the alarm's name behind the stack's, and its heading in `.github/runbook.md`. */
  add(
    id: string,
    {
      severity,
      metric,
      loss,
      look,
      logs,
      threshold = 1,
      periods = { reached: 1, of: 1 },
      onSilence = false,
    }: AlarmProps,
  ): void {
    const stack = Stack.of(this);
    const alarm = new Alarm(this, id, {
      alarmName: `${stack.stackName}-${id}`,
      metric,
      alarmDescription: [
        `Severity: ${severity}. ${loss} ${look}`,
        ...(logs ? [`Log: ${logsLink(stack.region, logs)}`] : []),
        `Runbook: ${this.#props.runbookUrl ?? '.github/runbook.md'}#${id.toLowerCase()}`,
      ].join('\n'),
      threshold,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.reached,
      comparisonOperator: onSilence
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: onSilence ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.#topicOf(severity));
    alarm.addAlarmAction(action);
    // An action follows a change of state only, and a new alarm begins with insufficient data.
    if (onSilence) alarm.addInsufficientDataAction(action);
    // Closes the incident at the pager.
    if (severity === 'page') alarm.addOkAction(action);
    this.#all.push(alarm);
  }

  #topicOf(severity: Severity): Topic {
    const { email, pageUrl } = this.#props;
    const existing = this.#topics.get(severity);
    if (existing) return existing;
    const topic = this.#createTopic(topicIds[severity]);
    this.#topics.set(severity, topic);
    topic.addSubscription(new EmailSubscription(email));
    if (severity === 'page' && pageUrl) topic.addSubscription(new UrlSubscription(pageUrl));
    return topic;
  }

  #createTopic(id: string): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    const stack = Stack.of(this);
    // A topic policy replaces SNS's default policy. With only the Deny of `enforceSSL`, nothing may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowCloudWatchAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
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
    return topic;
  }
}

const topicIds = { page: 'PageTopic', mail: 'MailTopic' } as const satisfies Record<Severity, string>;

/** The period of most alarms: long enough for one retry. */
export const PROMPT = Duration.minutes(5);

/**
 * Three bad periods of six. With `PROMPT`, half an hour: an outage rings after a quarter of an hour, a single
 * failure or two never, however few users there are.
 */
export const REPEATEDLY = { reached: 3, of: 6 };

/**
 * For what few users do, such as signing up: with `PROMPT`, two bad periods within an hour. A user who fails
 * tries again.
 */
export const TWICE_AN_HOUR = { reached: 2, of: 12 };
