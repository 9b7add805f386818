import { readFileSync } from 'node:fs';
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../../stages/stage.ts';
import { dashboardLink, type LogQuery, logsLink } from './console-link.ts';

/** `page`: a user loses something now, and a person can help. `mail`: the problem can wait until morning. */
export type Severity = 'page' | 'mail';

export interface AlarmProps {
  severity: Severity;
  /** The metric has its own period and statistic. */
  metric: IMetric;
  /** The log that the alarm's mail links to. @default the dashboard */
  logs?: LogQuery;
  /** @default 1 */
  threshold?: number;
  /** The number of the last periods in which the threshold has to be reached. @default 1 of 1 */
  periods?: { reached: number; of: number };
  /**
   * Whether a metric that has data only while something runs alarms once its data stops. A new alarm without
   * any data stays silent. @default false
   */
  onSilence?: boolean;
  /** Heading in `.github/runbook.md`, for several alarms with one meaning. @default the alarm's id */
  entry?: string;
}

type AlarmsProps = Pick<Stage, 'alarmEmail' | 'alarmPageUrl' | 'runbookUrl' | 'alarms'>;

/** The stage's alarms, and an SNS topic for each severity in use. */
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

  /**
   * Adds an alarm, if the stage has it. Its name is the stack's name and the id. Its mail quotes the sentence
   * after `Means` in its entry of `.github/runbook.md`. Throws if the runbook has no entry.
   */
  add(
    id: string,
    {
      severity,
      metric,
      logs,
      threshold = 1,
      periods = { reached: 1, of: 1 },
      onSilence = false,
      entry = id,
    }: AlarmProps,
  ): void {
    const stack = Stack.of(this);
    const { alarms, runbookUrl = '.github/runbook.md' } = this.#props;
    if (alarms && !alarms.includes(id)) return;
    const alarm = new Alarm(this, id, {
      alarmName: `${stack.stackName}-${id}`,
      metric,
      alarmDescription: [
        `Severity: ${severity}. ${meaningOf(entry)}`,
        logs ? `Log: ${logsLink(stack.region, logs)}` : `Dashboard: ${dashboardLink(stack)}`,
        `Runbook: ${runbookUrl}#${entry.toLowerCase()}`,
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
    // CloudWatch acts only on a change of state, and a new alarm begins with insufficient data.
    if (onSilence) alarm.addInsufficientDataAction(action);
    // Closes the incident at the pager.
    if (severity === 'page') alarm.addOkAction(action);
    this.#all.push(alarm);
  }

  #topicOf(severity: Severity): Topic {
    const { alarmEmail, alarmPageUrl } = this.#props;
    const existing = this.#topics.get(severity);
    if (existing) return existing;
    const topic = new Topic(this, topicIds[severity], { enforceSSL: true });
    this.#topics.set(severity, topic);
    topic.addSubscription(new EmailSubscription(alarmEmail));
    if (severity === 'page' && alarmPageUrl) topic.addSubscription(new UrlSubscription(alarmPageUrl));
    const stack = Stack.of(this);
    // A topic policy replaces SNS's default policy. With nothing but the Deny of `enforceSSL`, nobody may
    // publish.
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

const runbook = readFileSync(new URL('../../../.github/runbook.md', import.meta.url), 'utf8');

/** The meaning of an alarm for users, as plain text, from its entry in the runbook. */
function meaningOf(id: string): string {
  const [entry = ''] = runbook.split(`\n### \`${id}\`\n`).slice(1);
  const meaning = /^\n- Means: (.+)$/m.exec(entry)?.[1];
  if (!meaning) throw new Error(`The alarm ${id} has no entry in .github/runbook.md that begins with Means.`);
  return meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}

const topicIds = { page: 'PageTopic', mail: 'MailTopic' } as const satisfies Record<Severity, string>;

/** The period of most alarms: long enough for one retry. */
export const PROMPT = Duration.minutes(5);

/** The period for what few users do in a day. */
export const SEVERAL_HOURS = Duration.hours(6);

/**
 * Three bad periods of six, half an hour with `PROMPT`. An outage fires after a quarter of an hour. One or
 * two failures never do, however few users there are.
 */
export const REPEATEDLY = { reached: 3, of: 6 };

/** Two bad periods within an hour, with `PROMPT`, for what few users do, and try again after a failure. */
export const TWICE_AN_HOUR = { reached: 2, of: 12 };
