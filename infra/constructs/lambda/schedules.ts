import { Duration, Stack } from 'aws-cdk-lib';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions } from '../../../schemas/config/environment.ts';
import type { Alarms } from '../alarms/alarms.ts';
import { AppFunction, type FunctionSettings } from './app-function.ts';
import { errorsIn, eventsIn } from '../alarms/console-link.ts';
import type { DeadLetters } from './dead-letters.ts';
import { DAY, ownMetric } from '../alarms/event-metrics.ts';
import { allowFindings, arnInRules } from '../rule-exceptions.ts';

export interface SchedulesProps {
  /** Prefix of the schedules' names. */
  stackName: string;
  functions: FunctionSettings;
  deadLetters: DeadLetters;
  alarms: Alarms;
}

interface ScheduleSettings {
  schedule: ScheduleExpression;
  description: string;
  /** Daily instead of hourly. @default false */
  isDaily?: boolean;
  /** Lambda's retries of a failed run: after one minute and after two more. @default 2 */
  retryAttempts?: 0 | 2;
  /** Lambda's maximum is fifteen minutes. @default 10 minutes */
  timeout?: Duration;
  /** The function's event. @default EventBridge's own event */
  input?: Record<string, unknown>;
}

const HOUR = Duration.hours(1);

/** The hourly and daily sweeps. Each sweep is safe to run twice, so Lambda retries a failed run. */
export class Schedules extends Construct {
  readonly #props: SchedulesProps;

  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.#props = props;
    this.#add('ExpirySweep', 'schedules/expiry-sweep', {
      schedule: ScheduleExpression.cron({ minute: '0' }),
      description: 'Sets expired plans to Free, after asking Stripe.',
    });
    // At different minutes, so that the schedules don't call Stripe at the same time.
    const eventCatchUp = this.#add('EventCatchUp', 'schedules/event-catch-up', {
      schedule: ScheduleExpression.cron({ minute: '30' }),
      description: "Reads Stripe's event list and handles the events of lost webhooks.",
    });
    const billingTasks = this.#add('BillingTasks', 'schedules/billing-tasks', {
      schedule: ScheduleExpression.cron({ minute: '45' }),
      description: 'Retries what Stripe refused: refunds, cancellations, the end of a deleted account.',
    });
    this.#add('UnconfirmedSweep', 'schedules/unconfirmed-sweep', {
      schedule: ScheduleExpression.cron({ minute: '15' }),
      description: 'Deletes accounts whose address was not confirmed within 48 hours.',
    });
    this.#addCatchUpAlarms(eventCatchUp);
    this.#addBillingAlarms(billingTasks);
    this.#addIdleAccounts();
    this.#addUserExport();
    this.#addPlanAgreement();
    props.alarms.add('UnfinishedRuns', {
      severity: 'mail',
      metric: ownMetric('UnfinishedRuns', props.functions.metricNamespace, { period: HOUR }),
      periods: { reached: 3, of: 6 },
    });
    props.alarms.add('UnfinishedDailyRuns', {
      severity: 'mail',
      metric: ownMetric('UnfinishedDailyRuns', props.functions.metricNamespace, { period: DAY }),
    });
  }

  #addCatchUpAlarms(eventCatchUp: AppFunction): void {
    const { alarms, functions } = this.#props;
    const { metricNamespace } = functions;
    alarms.add('CatchUpBehind', {
      severity: 'mail',
      metric: ownMetric('CatchUpLag', metricNamespace, { period: HOUR, statistic: 'max' }),
      // Seconds. The value is ten minutes after a complete run, and up to a month during a pass over all
      // customers.
      threshold: Duration.hours(3).toSeconds(),
      periods: { reached: 2, of: 3 },
      logs: eventsIn(eventCatchUp, 'sweep-finished'),
    });
    alarms.add('WebhooksMissing', {
      severity: 'mail',
      metric: new MathExpression({
        // Counts the last 24 hours. A purchase has at least three events, and one or two may still be on
        // their way.
        expression: 'IF(events >= 3 AND received < 1, 1, 0)',
        usingMetrics: {
          events: ownMetric('StripeEvents', metricNamespace, { period: DAY }),
          received: ownMetric('WebhooksReceived', metricNamespace, { period: DAY }),
        },
        period: DAY,
      }),
    });
  }

  #addBillingAlarms(billingTasks: AppFunction): void {
    const { alarms, functions } = this.#props;
    // A failed task isn't an error of the function: the next hourly run tries it again.
    alarms.add('BillingStuck', {
      severity: 'mail',
      metric: ownMetric('BillingStuck', functions.metricNamespace),
      logs: eventsIn(billingTasks, 'billing-stuck'),
    });
    alarms.add('OrphansEnded', {
      severity: 'mail',
      metric: ownMetric('OrphansEnded', functions.metricNamespace, { period: HOUR }),
      logs: eventsIn(billingTasks, 'orphaned-billing-ended'),
    });
    alarms.add('ManyRefunds', {
      severity: 'page',
      metric: ownMetric('Refunds', functions.metricNamespace, { period: HOUR }),
      // Refunds are for users who bought twice and for payments after the end of a plan: a few a month.
      threshold: 5,
      logs: eventsIn(billingTasks, 'duplicate-refunded'),
    });
  }

  /** Warns and deletes idle accounts. Daily, because the promises to users are in days. */
  #addIdleAccounts(): void {
    const { alarms, functions } = this.#props;
    const idleAccounts = this.#add('IdleAccounts', 'schedules/idle-accounts', {
      schedule: ScheduleExpression.cron({ minute: '20', hour: '9' }),
      isDaily: true,
      // The limits apply to each run. A failed run is not repeated before the next day.
      retryAttempts: 0,
      input: { task: 'sweep' },
      description: 'Warns the owners of accounts that nobody signs in to, and deletes them after a year.',
    });
    alarms.add('IdleLimitReached', {
      severity: 'page',
      metric: ownMetric('IdleLimitReached', functions.metricNamespace),
      logs: eventsIn(idleAccounts, 'idle-account-deleted'),
    });
  }

  /** A daily export, in hourly runs: a large pool takes several. */
  #addUserExport(): void {
    const { alarms, functions } = this.#props;
    const userExport = this.#add('UserExport', 'schedules/user-export', {
      schedule: ScheduleExpression.cron({ minute: '5' }),
      description: 'Stores all users of the user pool in S3, once a day.',
      // Part of a large pool has to fit into a run.
      timeout: Duration.minutes(15),
    });
    alarms.add('UserExportMissing', {
      severity: 'mail',
      metric: ownMetric('UserExportAge', functions.metricNamespace, { period: HOUR, statistic: 'max' }),
      // The last export is 24 hours old just before the next export begins.
      threshold: Duration.hours(28).toSeconds(),
      periods: { reached: 2, of: 3 },
      logs: errorsIn(userExport),
    });
  }

  /** Nightly: looks for what the webhook and the hourly schedules should have decided. */
  #addPlanAgreement(): void {
    const { alarms, functions } = this.#props;
    const planAgreement = this.#add('PlanAgreement', 'schedules/plan-agreement', {
      schedule: ScheduleExpression.cron({ minute: '50', hour: '6' }),
      isDaily: true,
      description: 'Compares all plans with all subscriptions at Stripe. Changes nothing.',
      // One run has to read all subscriptions.
      timeout: Duration.minutes(15),
    });
    alarms.add('PlanDisagreements', {
      severity: 'mail',
      metric: ownMetric('PlanDisagreements', functions.metricNamespace, { period: DAY, statistic: 'max' }),
      logs: eventsIn(planAgreement, 'plan-disagrees'),
    });
  }

  #add(id: string, entry: BackgroundFunction, settings: ScheduleSettings): AppFunction {
    const { schedule, description, isDaily = false, retryAttempts = 2, input } = settings;
    const { timeout = Duration.minutes(10) } = settings;
    const { stackName, functions, deadLetters, alarms } = this.#props;
    const handler = new AppFunction(this, id, {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description,
      // The next run continues where this run stopped.
      timeout,
    });
    handler.configureAsyncInvoke({
      retryAttempts,
      // A run ends before the next run begins, waiting included.
      maxEventAge: Duration.minutes(50),
      onFailure: new SqsDestination(deadLetters.queue),
    });
    new Schedule(this, `${id}Schedule`, {
      scheduleName: `${stackName}-${entry.replace('schedules/', '')}`,
      description,
      schedule,
      target: new LambdaInvoke(handler, {
        // Retries calls that Lambda doesn't accept, such as throttled calls. Lambda itself retries failures
        // of the function.
        retryAttempts: 2,
        maxEventAge: Duration.minutes(50),
        deadLetterQueue: deadLetters.queue,
        ...(input && { input: ScheduleTargetInput.fromObject(input) }),
      }),
    });
    allowFindings(
      Stack.of(this),
      'EventBridge Scheduler may call the function in any version. It has one.',
      `IAM5[Resource::${arnInRules(handler)}:*]`,
    );
    alarms.add(`${id}Stopped`, {
      severity: 'mail',
      metric: handler.metricInvocations({ period: isDaily ? DAY : HOUR }),
      periods: isDaily ? { reached: 2, of: 2 } : { reached: 3, of: 3 },
      onSilence: true,
      logs: errorsIn(handler),
    });
    return handler;
  }
}
