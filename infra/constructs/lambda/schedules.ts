import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../../schemas/background-functions.ts';
import {
  type ScheduleEntry,
  scheduleFactsOf,
  scheduleIdOf,
  type ScheduleName,
  scheduleNames,
} from '../../../schemas/schedules.ts';
import { type Alarms, SEVERAL_HOURS } from '../alarms/alarms.ts';
import { AppFunction, createLog, type FunctionSettings } from './app-function.ts';
import { errorsIn, eventsIn } from '../alarms/console-link.ts';
import { DAY, ownMetric } from '../alarms/event-metrics.ts';
import type { RoleWithRights } from '../role-with-rights.ts';
import { scheduledCall, schedulerRole } from './scheduler-role.ts';

export interface SchedulesProps {
  /** Prefix of the schedules' names. */
  stackName: string;
  functions: FunctionSettings;
  alarms: Alarms;
}

const HOUR = Duration.hours(1);

/** The functions of `schemas/schedules.ts`, their schedules and alarms. */
export class Schedules extends Construct {
  readonly #props: SchedulesProps;
  readonly handlers: readonly AppFunction[];
  /** The log of all these functions. */
  readonly log: LogGroup;
  readonly #caller: RoleWithRights;

  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.#props = props;
    this.log = createLog(this, 'Logs', props.functions);
    this.#caller = schedulerRole(this);
    const handlers = Object.fromEntries(scheduleNames.map((name) => [name, this.#add(name)])) as Record<
      ScheduleName,
      AppFunction
    >;
    this.handlers = Object.values(handlers);
    this.#addCatchUpAlarms();
    this.#addBillingAlarms(handlers['billing-tasks']);
    this.#addAccountAlarms(handlers);
    this.#addSilenceAlarm();
  }

  #addCatchUpAlarms(): void {
    const { alarms, functions } = this.#props;
    const { metricNamespace } = functions;
    const period = SEVERAL_HOURS;
    alarms.add('JobsBehind', {
      severity: 'mail',
      metric: new MathExpression({
        // Hourly jobs that ran out of time three times, or a catch-up that was three hours behind all the
        // time. The lag is ten minutes after a complete run, and up to a month during a pass over all
        // customers.
        expression: `IF(FILL(unfinished, 0) >= 3 OR FILL(lag, 0) >= ${Duration.hours(3).toSeconds()}, 1, 0)`,
        usingMetrics: {
          unfinished: ownMetric('UnfinishedRuns', metricNamespace, { period }),
          lag: ownMetric('CatchUpLag', metricNamespace, { period, statistic: 'min' }),
        },
        period,
      }),
      logs: { group: this.log, query: 'filter message.event="sweep-finished" | sort @timestamp desc' },
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
    alarms.add('OrphansEnded', {
      severity: 'mail',
      metric: ownMetric('OrphansEnded', functions.metricNamespace, { period: HOUR }),
      logs: eventsIn(billingTasks, 'orphaned-billing-ended'),
    });
    alarms.add('StuckMoney', {
      severity: 'mail',
      metric: ownMetric('StuckMoney', functions.metricNamespace, { period: HOUR }),
      // Webhooks and the event catch-up log them.
      logs: {
        group: this.log,
        query: 'filter message.event in ["refund-failed", "invoice-not-finalized", "invoices-mailed"]',
      },
    });
    alarms.add('ManyRefunds', {
      severity: 'page',
      metric: ownMetric('Refunds', functions.metricNamespace, { period: HOUR }),
      // Refunds are for users who bought twice and for payments after the end of a plan: a few a month.
      threshold: 5,
      logs: eventsIn(billingTasks, 'duplicate-refunded'),
    });
  }

  #addAccountAlarms(handlers: Readonly<Record<ScheduleName, AppFunction>>): void {
    const { alarms, functions } = this.#props;
    alarms.add('IdleJump', {
      severity: 'page',
      metric: ownMetric('IdleJump', functions.metricNamespace),
      logs: eventsIn(handlers['idle-accounts'], 'idle-jump'),
    });
    alarms.add('PlanDisagreements', {
      severity: 'mail',
      metric: ownMetric('PlanDisagreements', functions.metricNamespace, { period: DAY, statistic: 'max' }),
      logs: eventsIn(handlers['plan-agreement'], 'plan-disagrees'),
    });
  }

  /** Silent schedules have no error that another alarm would see. */
  #addSilenceAlarm(): void {
    // An alarm takes ten metrics.
    const ids = this.handlers.map((_, index) => `m${index}`);
    this.#props.alarms.add('ScheduleStopped', {
      severity: 'mail',
      metric: new MathExpression({
        // A sum has no value in a period in which one of its metrics has none.
        expression: ids.join(' + '),
        usingMetrics: Object.fromEntries(
          this.handlers.map((handler, index) => [`m${index}`, handler.metricInvocations({ period: HOUR })]),
        ),
        period: HOUR,
      }),
      periods: { reached: 3, of: 3 },
      onSilence: true,
      logs: errorsIn({ logGroup: this.log }),
    });
  }

  #add(name: ScheduleName): AppFunction {
    const { minute, about, timeout = 10, input } = scheduleFactsOf(name);
    const { stackName, functions } = this.#props;
    const id = scheduleIdOf(name);
    const entry: ScheduleEntry = `schedules/${name}`;
    const handler = new AppFunction(this, id, {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description: about,
      // The next run continues where this run stopped.
      timeout: Duration.minutes(timeout),
      log: this.log,
    });
    handler.configureAsyncInvoke({
      // After one minute and after two more.
      retryAttempts: 2,
      // A run ends before the next run begins, waiting included.
      maxEventAge: Duration.minutes(50),
    });
    new Schedule(this, `${id}Schedule`, {
      scheduleName: `${stackName}-${name}`,
      description: about,
      schedule: ScheduleExpression.cron({ minute: `${minute}` }),
      target: scheduledCall(handler, {
        role: this.#caller,
        // Retries calls that Lambda doesn't accept, such as throttled calls. Lambda itself retries failures
        // of the function.
        retryAttempts: 2,
        maxEventAge: Duration.minutes(50),
        ...(input && { input: ScheduleTargetInput.fromObject(input) }),
      }),
    });
    return handler;
  }
}
