import { Duration } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { product } from '../../../schemas/product/product.ts';
import { backgroundFunctions } from '../../../schemas/background-functions.ts';
import { type VariablesOf } from '../../../schemas/config/environment.ts';
import { type Alarms, PROMPT } from '../alarms/alarms.ts';
import { AppFunction, type FunctionSettings } from '../lambda/app-function.ts';
import { scheduledCall, schedulerRole } from '../lambda/scheduler-role.ts';
import { errorsIn } from '../alarms/console-link.ts';
import { ownMetric } from '../alarms/event-metrics.ts';
import { serverClient } from '../identity/identity.ts';

/** The client of the user that tests the site. The function creates the user. */
export function canaryUserOf(pool: UserPool) {
  const client = pool.addClient('Canary', serverClient);
  const environment: VariablesOf<'canary'> = {
    USER_POOL_ID: pool.userPoolId,
    CANARY_CLIENT_ID: client.userPoolClientId,
    CANARY_EMAIL: `canary@${product.mailDomain}`,
  };
  const actions = ['InitiateAuth', 'CreateUser', 'SetUserPassword'].map((each) => `cognito-idp:Admin${each}`);
  return { client, environment, grant: (to: Function) => pool.grant(to, ...actions) };
}
export type CanaryUser = ReturnType<typeof canaryUserOf>;

export interface CanaryProps {
  /** Prefix of the schedule's name. */
  stackName: string;
  functions: FunctionSettings;
  alarms: Alarms;
}

/** Signs in and reads a plan every five minutes, with an alarm if this fails. */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { stackName, functions, alarms }: CanaryProps) {
    super(scope, id);
    const entry = 'schedules/canary';
    const handler = new AppFunction(this, 'Function', {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description: 'Signs in and reads a plan, to notice when the site does not work.',
      timeout: Duration.minutes(2),
    });
    // No retries: the next run follows soon, and an old run says nothing about now.
    handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Schedule(this, 'Schedule', {
      scheduleName: `${stackName}-canary`,
      description: 'Tries out the site.',
      schedule: ScheduleExpression.rate(PROMPT),
      target: scheduledCall(handler, { role: schedulerRole(this), retryAttempts: 0 }),
    });
    alarms.add('SiteDown', {
      severity: 'page',
      metric: ownMetric('CanaryFailures', functions.metricNamespace),
      periods: { reached: 3, of: 3 },
      logs: errorsIn(handler),
    });
    alarms.add('CanaryStopped', {
      severity: 'mail',
      metric: handler.metricInvocations({ period: PROMPT }),
      periods: { reached: 6, of: 6 },
      onSilence: true,
      logs: errorsIn(handler),
    });
  }
}
