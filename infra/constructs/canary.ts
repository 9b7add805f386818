import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { product } from '../../schemas/product.ts';
import { backgroundFunctions, type Environment } from '../../schemas/environment.ts';
import { type Alarms, PROMPT } from './alarms.ts';
import { AppFunction, type FunctionSettings } from './app-function.ts';
import { errorsIn } from './console-link.ts';
import { ownMetric } from './event-metrics.ts';
import { allowFindings, arnInRules } from './rule-exceptions.ts';

/** The client and the generated password of the user that tries out the site. The function creates it. */
export class CanaryUser extends Construct {
  readonly client: UserPoolClient;
  readonly environment: Environment<'canary'>;
  readonly #pool: UserPool;
  readonly #secret: Secret;

  constructor(scope: Construct, id: string, pool: UserPool) {
    super(scope, id);
    this.#pool = pool;
    this.client = pool.addClient('Canary', {
      // Only callers with rights in AWS can sign in with it.
      authFlows: { adminUserPassword: true },
      disableOAuth: true,
      accessTokenValidity: PROMPT,
      idTokenValidity: PROMPT,
      refreshTokenValidity: Duration.hours(1),
      preventUserExistenceErrors: true,
    });
    this.#secret = new Secret(this, 'Secret', {
      description: 'Password of the user that tries out the site. Generated.',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'password',
        excludePunctuation: true,
        passwordLength: 48,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    allowFindings(
      this.#secret,
      'The password of a user who has nothing, for callers with rights in AWS.',
      'SMG4',
    );
    this.environment = {
      USER_POOL_ID: pool.userPoolId,
      CANARY_CLIENT_ID: this.client.userPoolClientId,
      CANARY_SECRET_ID: this.#secret.secretName,
      CANARY_EMAIL: `canary@${product.mailDomain}`,
    };
  }

  grant(to: Function): void {
    // CDK's own grant adds `DescribeSecret`.
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [this.#secret.secretArn],
      }),
    );
    this.#pool.grant(
      to,
      'cognito-idp:AdminInitiateAuth',
      'cognito-idp:AdminCreateUser',
      'cognito-idp:AdminSetUserPassword',
    );
  }
}

export interface CanaryProps {
  /** Prefix of the schedule's name. */
  stackName: string;
  functions: FunctionSettings;
  alarms: Alarms;
}

/** Signs in and reads a plan every five minutes, and rings if that fails. */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { stackName, functions, alarms }: CanaryProps) {
    super(scope, id);
    const entry = 'schedules/canary';
    const handler = new AppFunction(this, 'Function', {
      ...functions,
      entry,
      needs: backgroundFunctions[entry],
      description: 'Signs in and reads a plan, to notice when the site does not work.',
      timeout: Duration.minutes(2),
    });
    // The next try follows anyway, and an old one says nothing.
    handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Schedule(this, 'Schedule', {
      scheduleName: `${stackName}-canary`,
      description: 'Tries out the site.',
      schedule: ScheduleExpression.rate(PROMPT),
      target: new LambdaInvoke(handler, { retryAttempts: 0 }),
    });
    allowFindings(
      Stack.of(this),
      'EventBridge Scheduler may call the function in any version. It has one.',
      `IAM5[Resource::${arnInRules(handler)}:*]`,
    );
    alarms.add('SiteDown', {
      severity: 'page',
      metric: ownMetric('CanaryFailures', functions.metricNamespace),
      periods: { reached: 3, of: 3 },
      loss: 'Users cannot open the site, sign in or see their plan: for a quarter of an hour each try has failed.',
      look: 'See the lines canary-failed in the log of functions/schedules/canary.ts: which step.',
      logs: errorsIn(handler),
    });
    alarms.add('CanaryStopped', {
      severity: 'mail',
      metric: handler.metricInvocations({ period: PROMPT }),
      periods: { reached: 6, of: 6 },
      onSilence: true,
      loss: 'Nobody is told if the site does not work: the canary has not run for half an hour.',
      look: 'See the schedule in EventBridge Scheduler.',
      logs: errorsIn(handler),
    });
  }
}
