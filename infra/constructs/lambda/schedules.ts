import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../../schemas/background-functions.ts';
import {
  isDaily,
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
import { allowFindings, arnInRules } from '../rule-exceptions.ts';
import { schedulerRole } from './scheduler-role.ts';

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
    this.#addDailyAlarms(handlers);
    this.#addSilenceAlarms(handlers);
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
      logs: { group: this.log, query: 'filter message.event in ["refund-failed", "invoice-not-finalized"]' },
    });
    alarms.add('ManyRefunds', {
      severity: 'page',
      metric: ownMetric('Refunds', functions.metricNamespace, { period: HOUR }),
      // Refunds are for users who bought twice and for payments after the end of a plan: a few a month.
      threshold: 5,
      logs: eventsIn(billingTasks, 'duplicate-refunded'),
    });
  }

  #addDailyAlarms(handlers: Readonly<Record<ScheduleName, AppFunction>>): void {
    const { alarms, functions } = this.#props;
    alarms.add('IdleLimitReached', {
      severity: 'page',
      metric: ownMetric('IdleLimitReached', functions.metricNamespace),
      logs: eventsIn(handlers['idle-accounts'], 'idle-account-deleted'),
    });
    alarms.add('PlanDisagreements', {
      severity: 'mail',
      metric: ownMetric('PlanDisagreements', functions.metricNamespace, { period: DAY, statistic: 'max' }),
      logs: eventsIn(handlers['plan-agreement'], 'plan-disagrees'),
    });
  }

  /** An alarm for each group of schedules: silent schedules have no error that another alarm would see. */
  #addSilenceAlarms(handlers: Readonly<Record<ScheduleName, AppFunction>>): void {
    const groups = [
      { id: 'HourlyStopped', daily: false, period: HOUR, periods: { reached: 3, of: 3 } },
      { id: 'DailyStopped', daily: true, period: DAY, periods: { reached: 2, of: 2 } },
    ];
    for (const { id, daily, period, periods } of groups) {
      // An alarm takes ten metrics.
      const names = scheduleNames.filter((name) => isDaily(name) === daily);
      const ids = names.map((_, index) => `m${index}`);
      this.#props.alarms.add(id, {
        entry: 'ScheduleStopped',
        severity: 'mail',
        metric: new MathExpression({
          // A sum has no value in a period in which one of its metrics has none.
          expression: ids.join(' + '),
          usingMetrics: Object.fromEntries(
            names.map((name, index) => [`m${index}`, handlers[name].metricInvocations({ period })]),
          ),
          period,
        }),
        periods,
        onSilence: true,
        logs: errorsIn({ logGroup: this.log }),
      });
    }
  }

  #add(name: ScheduleName): AppFunction {
    const { at, about, hasLimitsPerRun = false, timeout = 10, input } = scheduleFactsOf(name);
    const { stackName, functions } = this.#props;
    const id = scheduleIdOf(name);
    const entry: ScheduleEntry = `schedules/${name}`;
    // Lambda's retries of a failed run: after one minute and after two more.
    const retryAttempts = hasLimitsPerRun ? 0 : 2;
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
      retryAttempts,
      // A run ends before the next run begins, waiting included.
      maxEventAge: Duration.minutes(50),
    });
    new Schedule(this, `${id}Schedule`, {
      scheduleName: `${stackName}-${name}`,
      description: about,
      schedule: ScheduleExpression.cron({
        minute: `${at.minute}`,
        ...(at.hour !== undefined && { hour: `${at.hour}` }),
      }),
      target: new LambdaInvoke(handler, {
        role: this.#caller,
        // Retries calls that Lambda doesn't accept, such as throttled calls. Lambda itself retries failures
        // of the function.
        retryAttempts: 2,
        maxEventAge: Duration.minutes(50),
        ...(input && { input: ScheduleTargetInput.fromObject(input) }),
      }),
    });
    allowFindings(
      Stack.of(this),
      'EventBridge Scheduler may call the function in any version. It has one.',
      `IAM5[Resource::${arnInRules(handler)}:*]`,
    );
    return handler;
  }
}
