import { Duration } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions } from '../../schemas/environment.ts';
import type { Alarms } from './alarms.ts';
import { AppFunction, type Provisions } from './app-function.ts';

export interface SchedulesProps {
  /** Prefix of the schedules' names. */
  stackName: string;
  /** Folder of the handlers. */
  handlers: string;
  provisions: Provisions;
  logRetention: RetentionDays;
  alarms: Alarms;
}

/** The sweeps. Each is safe to run twice, so a failed one is tried again and the next hour comes anyway. */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.#add('ExpirySweep', 'schedules/expiry-sweep', props, {
      schedule: ScheduleExpression.cron({ minute: '0' }),
      description: 'Frees plans whose time has passed, after asking Stripe.',
      loss: 'Plans stay Plus after their end until somebody opens the dashboard.',
    });
    // Half an hour apart, so that the two don't ask Stripe at the same time.
    this.#add('EventCatchUp', 'schedules/event-catch-up', props, {
      schedule: ScheduleExpression.cron({ minute: '30' }),
      description: "Reads Stripe's event list and makes up for webhooks that were lost.",
      loss: 'A payer whose webhook was lost stays on Free.',
    });
  }

  #add(
    id: string,
    entry: BackgroundFunction,
    { stackName, handlers, provisions, logRetention, alarms }: SchedulesProps,
    what: { schedule: ScheduleExpression; description: string; loss: string },
  ): void {
    const handler = new AppFunction(this, id, {
      entry,
      handlers,
      needs: backgroundFunctions[entry],
      provisions,
      description: what.description,
      // Lambda's longest is fifteen; what isn't done by then is found again by the next run.
      timeout: Duration.minutes(10),
      logRetention,
    });
    new Schedule(this, `${id}Schedule`, {
      scheduleName: `${stackName}-${entry.replace('schedules/', '')}`,
      description: what.description,
      schedule: what.schedule,
      target: new LambdaInvoke(handler, {
        retryAttempts: 2,
        // Before the next one comes.
        maxEventAge: Duration.minutes(50),
      }),
    });
    const look = `See the log of ${entry}.`;
    alarms.add(`${id}Fails`, {
      metric: handler.metricErrors({ period: Duration.hours(1) }),
      loss: what.loss,
      look,
    });
    alarms.add(`${id}Stopped`, {
      metric: handler.metricInvocations({ period: Duration.hours(3) }),
      onSilence: true,
      loss: `${what.loss} The schedule has not run for three hours.`,
      look: 'See the schedule in EventBridge.',
    });
  }
}
