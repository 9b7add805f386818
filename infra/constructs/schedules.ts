import { Duration, Stack } from 'aws-cdk-lib';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions } from '../../schemas/environment.ts';
import type { Alarms } from './alarms.ts';
import { AppFunction, type FunctionSettings } from './app-function.ts';
import { errorsIn, eventsIn } from './console-link.ts';
import type { DeadLetters } from './dead-letters.ts';
import { countLines, DAY, linesCounted, ownMetric } from './event-metrics.ts';
import { allowFindings, arnInRules } from './rule-exceptions.ts';

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
  loss: string;
  /** Hourly by default. */
  isDaily?: boolean;
  /** Whether a day's work takes several runs: that one isn't done is then no news. @default false */
  takesSeveralRuns?: boolean;
  /** How often Lambda tries a failed run again: after one and after two more minutes. @default 2 */
  retryAttempts?: 0 | 2;
  /** Lambda's maximum is fifteen minutes. @default 10 minutes */
  timeout?: Duration;
  /** What the function is called with. @default EventBridge's own event */
  input?: Record<string, unknown>;
}

const HOUR = Duration.hours(1);

/** The sweeps: hourly and daily. Each is safe to run twice, so a failed run is retried. */
export class Schedules extends Construct {
  readonly #props: SchedulesProps;

  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.#props = props;
    this.#add('ExpirySweep', 'schedules/expiry-sweep', {
      schedule: ScheduleExpression.cron({ minute: '0' }),
      description: 'Sets expired plans to Free, after asking Stripe.',
      loss: 'Plans stay Plus after their end, until the user opens the dashboard.',
    });
    // Apart, so that they don't call Stripe at the same time.
    const eventCatchUp = this.#add('EventCatchUp', 'schedules/event-catch-up', {
      schedule: ScheduleExpression.cron({ minute: '30' }),
      description: "Reads Stripe's event list and handles the events of lost webhooks.",
      loss: 'A user who paid, and whose webhook was lost, stays on Free.',
    });
    const billingTasks = this.#add('BillingTasks', 'schedules/billing-tasks', {
      schedule: ScheduleExpression.cron({ minute: '45' }),
      description: 'Does what Stripe refused before: refunds, cancellations, the end of a deleted account.',
      loss: 'What Stripe refused is not tried again: a duplicate is not refunded, a deleted account is charged.',
    });
    this.#add('UnconfirmedSweep', 'schedules/unconfirmed-sweep', {
      schedule: ScheduleExpression.cron({ minute: '15' }),
      description: 'Deletes accounts whose address was not confirmed within 48 hours.',
      loss: 'Accounts that were never confirmed stay in the user pool.',
    });
    this.#addCatchUpAlarms(eventCatchUp);
    this.#addBillingAlarms(billingTasks);
    this.#addIdleAccounts();
    this.#addUserExport();
    this.#addUnpaidPlus();
    props.alarms.add('UnfinishedRuns', {
      severity: 'mail',
      metric: linesCounted('UnfinishedRuns', props.functions.metricNamespace, HOUR),
      periods: { reached: 3, of: 6 },
      loss: 'A scheduled job has more to do than it gets done: plans are set to Free too late, or lost webhooks made up for too late.',
      look: 'See the lines sweep-finished with unfinished in the logs of functions/schedules: which job.',
    });
    props.alarms.add('UnfinishedDailyRuns', {
      severity: 'mail',
      metric: linesCounted('UnfinishedDailyRuns', props.functions.metricNamespace, DAY),
      loss: 'A daily job has more to do than it gets done: idle accounts are warned or deleted late, or a user who has Plus and pays nothing is not noticed.',
      look: 'See the lines sweep-finished with unfinished in the logs of functions/schedules/idle-accounts.ts and functions/schedules/unpaid-plus.ts.',
    });
  }

  #addCatchUpAlarms(eventCatchUp: AppFunction): void {
    const { alarms, functions } = this.#props;
    const { metricNamespace } = functions;
    // The alarm is at the webhook, which hears of most of them.
    countLines(eventCatchUp, 'FailedRefunds', metricNamespace);
    alarms.add('CatchUpBehind', {
      severity: 'mail',
      metric: ownMetric('CatchUpLag', metricNamespace, { period: HOUR, statistic: 'max' }),
      // Seconds. After a run that is done, it is ten minutes, and while customers are walked, a month.
      threshold: Duration.hours(3).toSeconds(),
      periods: { reached: 2, of: 3 },
      loss: 'A user who paid, and whose webhook was lost, waits for Plus for hours.',
      look: 'See the lines sweep-finished in the log of functions/schedules/event-catch-up.ts.',
      logs: eventsIn(eventCatchUp, 'sweep-finished'),
    });
    alarms.add('WebhooksMissing', {
      severity: 'mail',
      metric: new MathExpression({
        // Of the last 24 hours. A purchase has at least three events. One or two may still be on their way.
        expression: 'IF(events >= 3 AND received < 1, 1, 0)',
        usingMetrics: {
          events: ownMetric('StripeEvents', metricNamespace, { period: DAY }),
          received: ownMetric('WebhooksReceived', metricNamespace, { period: DAY }),
        },
        period: DAY,
      }),
      loss: 'Users wait up to an hour until a renewal, a failed payment or a cancellation at Stripe shows: no webhook has come for a day, and Stripe has events.',
      look: "See the endpoint in Stripe's dashboard (Developers, Webhooks): is it enabled, and what does it answer?",
    });
  }

  #addBillingAlarms(billingTasks: AppFunction): void {
    const { alarms, functions } = this.#props;
    countLines(billingTasks, 'BillingStuck', functions.metricNamespace);
    // A task that fails is no error of the function: the next hour tries it again.
    alarms.add('BillingStuck', {
      severity: 'mail',
      metric: linesCounted('BillingStuck', functions.metricNamespace),
      loss: 'Stripe has refused something for a day: a duplicate is not refunded, a deleted account is charged.',
      look: 'See the lines billing-stuck in the log of functions/schedules/billing-tasks.ts.',
      logs: eventsIn(billingTasks, 'billing-stuck'),
    });
    alarms.add('ManyRefunds', {
      severity: 'page',
      metric: ownMetric('Refunds', functions.metricNamespace, { period: HOUR }),
      // Refunds are for users who bought twice, and for payments after the end: a few a month.
      threshold: 5,
      loss: 'Money is given back more often than usual. A mistake may be refunding users who want Plus.',
      look: 'See the lines duplicate-refunded in the logs, and the payments in Stripe.',
      logs: eventsIn(billingTasks, 'duplicate-refunded'),
    });
  }

  /** Warns and deletes idle accounts. Daily: its promises are in days. */
  #addIdleAccounts(): void {
    const { alarms, functions } = this.#props;
    const idleAccounts = this.#add('IdleAccounts', 'schedules/idle-accounts', {
      schedule: ScheduleExpression.cron({ minute: '20', hour: '9' }),
      isDaily: true,
      // The limits count for each run. A run that fails is not repeated before the next day.
      retryAttempts: 0,
      input: { task: 'sweep' },
      description: 'Warns the owners of accounts that nobody signs in to, and deletes them after a year.',
      loss: 'Accounts that nobody has signed in to for a year are not deleted, or their owners not warned.',
    });
    countLines(idleAccounts, 'IdleLimitReached', functions.metricNamespace);
    alarms.add('IdleLimitReached', {
      severity: 'page',
      metric: linesCounted('IdleLimitReached', functions.metricNamespace),
      loss: 'More accounts are idle than a day may warn or delete. A mistake may be deleting accounts in use.',
      look: 'See the lines idle-account-deleted in the log of functions/schedules/idle-accounts.ts.',
      logs: eventsIn(idleAccounts, 'idle-account-deleted'),
    });
  }

  /** Daily, in hourly runs: a large pool takes several. */
  #addUserExport(): void {
    const { alarms, functions } = this.#props;
    const loss = 'Users created since could not be restored if the user pool were lost: it has no backup.';
    const userExport = this.#add('UserExport', 'schedules/user-export', {
      schedule: ScheduleExpression.cron({ minute: '5' }),
      // `UserExportMissing` rings if it doesn't get done.
      takesSeveralRuns: true,
      description: 'Stores all users of the user pool in S3, once a day.',
      // Of a large pool, a part has to fit into a run.
      timeout: Duration.minutes(15),
      loss,
    });
    alarms.add('UserExportMissing', {
      severity: 'mail',
      metric: ownMetric('UserExportAge', functions.metricNamespace, { period: HOUR, statistic: 'max' }),
      // Just before the next export begins, the last one is 24 hours old.
      threshold: Duration.hours(28).toSeconds(),
      periods: { reached: 2, of: 3 },
      loss: `${loss} The last complete export is more than a day old.`,
      look: 'See the log of functions/schedules/user-export.ts.',
      logs: errorsIn(userExport),
    });
  }

  /** Daily: it looks for what the hourly schedules should have found. */
  #addUnpaidPlus(): void {
    const { alarms, functions } = this.#props;
    const unpaidPlus = this.#add('UnpaidPlus', 'schedules/unpaid-plus', {
      schedule: ScheduleExpression.cron({ minute: '50', hour: '6' }),
      isDaily: true,
      input: { days: 1 },
      description: 'Looks for users on Plus whose subscription has ended at Stripe. Changes nothing.',
      loss: 'Nobody notices a user who has Plus and pays nothing.',
    });
    alarms.add('UnpaidPlus', {
      severity: 'mail',
      metric: ownMetric('UnpaidPlus', functions.metricNamespace, { period: DAY, statistic: 'max' }),
      loss: 'Users lose nothing. Somebody has Plus by payment without a paid subscription, so plans do not follow Stripe.',
      look: 'See the lines plus-unpaid in the log of functions/schedules/unpaid-plus.ts, then npm run support -- why.',
      logs: eventsIn(unpaidPlus, 'plus-unpaid'),
    });
  }

  #add(id: string, entry: BackgroundFunction, settings: ScheduleSettings): AppFunction {
    const { schedule, description, loss, isDaily = false, retryAttempts = 2, input } = settings;
    const { takesSeveralRuns = false, timeout = Duration.minutes(10) } = settings;
    const { stackName, functions, deadLetters, alarms } = this.#props;
    const handler = new AppFunction(this, id, {
      ...functions,
      entry,
      needs: backgroundFunctions[entry],
      description,
      // The next run takes up what isn't done by then.
      timeout,
    });
    handler.configureAsyncInvoke({
      retryAttempts,
      // Waiting included, a run is over before the next one begins.
      maxEventAge: Duration.minutes(50),
      onFailure: new SqsDestination(deadLetters.queue),
    });
    new Schedule(this, `${id}Schedule`, {
      scheduleName: `${stackName}-${entry.replace('schedules/', '')}`,
      description,
      schedule,
      target: new LambdaInvoke(handler, {
        // Of calls that Lambda doesn't accept, such as throttled ones. What happens in the function, Lambda
        // retries.
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
    if (!takesSeveralRuns) {
      countLines(handler, isDaily ? 'UnfinishedDailyRuns' : 'UnfinishedRuns', functions.metricNamespace);
    }
    alarms.add(`${id}Stopped`, {
      severity: 'mail',
      metric: handler.metricInvocations({ period: isDaily ? DAY : HOUR }),
      periods: isDaily ? { reached: 2, of: 2 } : { reached: 3, of: 3 },
      onSilence: true,
      loss: `${loss} The schedule has not run for ${isDaily ? 'two days' : 'three hours'}.`,
      look: 'See the schedule in EventBridge Scheduler.',
      logs: errorsIn(handler),
    });
    return handler;
  }
}
