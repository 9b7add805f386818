import { Duration } from 'aws-cdk-lib';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions } from '../../schemas/environment.ts';
import type { Alarms } from './alarms.ts';
import { AppFunction, type FunctionSettings } from './app-function.ts';
import { countOf, failedRefunds } from './event-metrics.ts';

export interface SchedulesProps {
  /** Prefix of the schedules' names. */
  stackName: string;
  functions: FunctionSettings;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

interface ScheduleSettings {
  schedule: ScheduleExpression;
  description: string;
  loss: string;
  /** Hourly by default. */
  isDaily?: boolean;
  /** What the function is called with. @default EventBridge's own event */
  input?: Record<string, unknown>;
}

/** The sweeps: three hourly, one daily. Each is safe to run twice, so a failed run is retried. */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.#add('ExpirySweep', 'schedules/expiry-sweep', props, {
      schedule: ScheduleExpression.cron({ minute: '0' }),
      description: 'Sets expired plans to Free, after asking Stripe.',
      loss: 'Plans stay Plus after their end, until the user opens the dashboard.',
    });
    // Apart, so that they don't call Stripe at the same time.
    const eventCatchUp = this.#add('EventCatchUp', 'schedules/event-catch-up', props, {
      schedule: ScheduleExpression.cron({ minute: '30' }),
      description: "Reads Stripe's event list and handles the events of lost webhooks.",
      loss: 'A user who paid, and whose webhook was lost, stays on Free.',
    });
    const billingTasks = this.#add('BillingTasks', 'schedules/billing-tasks', props, {
      schedule: ScheduleExpression.cron({ minute: '45' }),
      description: 'Does what Stripe refused before: refunds, cancellations, the end of a deleted account.',
      loss: 'What Stripe refused is not tried again: a duplicate is not refunded, a deleted account is charged.',
    });
    this.#add('UnconfirmedSweep', 'schedules/unconfirmed-sweep', props, {
      schedule: ScheduleExpression.cron({ minute: '15' }),
      description: 'Deletes accounts whose address was not confirmed within 48 hours.',
      loss: 'Accounts that were never confirmed stay in the user pool.',
    });
    // The alarm is at the webhook, which hears of most of them.
    failedRefunds(eventCatchUp, props.metricNamespace);
    // A task that fails is no error of the function: the next hour tries it again.
    props.alarms.add('BillingStuck', {
      metric: countOf(billingTasks, 'billing-stuck', {
        metricName: 'BillingStuck',
        metricNamespace: props.metricNamespace,
      }),
      loss: 'Stripe has refused something for a day: a duplicate is not refunded, a deleted account is charged.',
      look: 'See the lines billing-stuck in the log of functions/schedules/billing-tasks.ts.',
    });
    this.#addIdleAccounts(props);
  }

  /** Warns and deletes idle accounts. Daily: its promises are in days. */
  #addIdleAccounts(props: SchedulesProps): void {
    const idleAccounts = this.#add('IdleAccounts', 'schedules/idle-accounts', props, {
      schedule: ScheduleExpression.cron({ minute: '20', hour: '9' }),
      isDaily: true,
      input: { task: 'sweep' },
      description: 'Warns the owners of accounts that nobody signs in to, and deletes them after a year.',
      loss: 'Accounts that nobody has signed in to for a year are not deleted, or their owners not warned.',
    });
    // The limits count for each run. A run that fails is not repeated before the next day.
    idleAccounts.configureAsyncInvoke({ retryAttempts: 0 });
    props.alarms.add('IdleLimitReached', {
      metric: countOf(idleAccounts, 'idle-limit-reached', {
        metricName: 'IdleLimitReached',
        metricNamespace: props.metricNamespace,
      }),
      loss: 'More accounts are idle than a day may warn or delete. A mistake may be deleting accounts in use.',
      look: 'See the lines idle-account-deleted in the log of functions/schedules/idle-accounts.ts.',
    });
  }

  #add(
    id: string,
    entry: BackgroundFunction,
    { stackName, functions, alarms }: SchedulesProps,
    { schedule, description, loss, isDaily = false, input }: ScheduleSettings,
  ): AppFunction {
    const handler = new AppFunction(this, id, {
      ...functions,
      entry,
      needs: backgroundFunctions[entry],
      description,
      // Lambda's maximum is fifteen minutes. The next run takes up what isn't done by then.
      timeout: Duration.minutes(10),
    });
    new Schedule(this, `${id}Schedule`, {
      scheduleName: `${stackName}-${entry.replace('schedules/', '')}`,
      description,
      schedule,
      target: new LambdaInvoke(handler, {
        retryAttempts: 2,
        // Before the next run.
        maxEventAge: Duration.minutes(50),
        ...(input && { input: ScheduleTargetInput.fromObject(input) }),
      }),
    });
    alarms.add(`${id}Fails`, {
      metric: handler.metricErrors({ period: Duration.hours(1) }),
      loss,
      look: `See the log of functions/${entry}.ts.`,
    });
    alarms.add(`${id}Stopped`, {
      metric: handler.metricInvocations({ period: isDaily ? Duration.days(1) : Duration.hours(3) }),
      ...(isDaily && { periods: { reached: 2, of: 2 } }),
      onSilence: true,
      loss: `${loss} The schedule has not run for ${isDaily ? 'two days' : 'three hours'}.`,
      look: 'See the schedule in EventBridge Scheduler.',
    });
    return handler;
  }
}
