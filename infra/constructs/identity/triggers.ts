import { Duration } from 'aws-cdk-lib';
import { type UserPool, UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions } from '../../../schemas/background-functions.ts';
import { type Alarms, PROMPT, TWICE_AN_HOUR } from '../alarms/alarms.ts';
import { errorsIn } from '../alarms/console-link.ts';
import { ownMetric, sum } from '../alarms/event-metrics.ts';
import { AppFunction, createLog, type FunctionSettings } from '../lambda/app-function.ts';

export interface TriggersProps {
  pool: UserPool;
  functions: FunctionSettings;
  alarms: Alarms;
}

interface Trigger {
  operations: readonly UserPoolOperation[];
  entry: BackgroundFunction;
  description: string;
  /** Rights to the trigger's own pool, without their prefix `cognito-idp:Admin`. */
  actions: readonly string[];
}

const triggers = {
  CustomMessage: {
    operations: [UserPoolOperation.CUSTOM_MESSAGE],
    entry: 'triggers/custom-message',
    description: 'Writes the mails that Cognito sends.',
    actions: [],
  },
  PostConfirmation: {
    operations: [UserPoolOperation.POST_CONFIRMATION],
    entry: 'triggers/post-confirmation',
    description: 'Creates the plan of a new account, and ends sessions after a password reset.',
    actions: ['DeleteUser', 'GetUser', 'SetUserPassword', 'UpdateUserAttributes', 'UserGlobalSignOut'],
  },
  PreSignUp: {
    operations: [UserPoolOperation.PRE_SIGN_UP],
    entry: 'triggers/pre-sign-up',
    description: 'Links the profile of a provider to the account with the same address.',
    actions: [
      'DeleteUser',
      'DisableProviderForUser',
      'GetUser',
      'LinkProviderForUser',
      'SetUserPassword',
      'UserGlobalSignOut',
    ],
  },
  PreTokenGeneration: {
    operations: [UserPoolOperation.PRE_TOKEN_GENERATION],
    entry: 'triggers/pre-token-generation',
    description: 'Records use of the account, and follows an address that was changed at the provider.',
    actions: ['DeleteUser', 'GetUser', 'UpdateUserAttributes'],
  },
  SignInByTicket: {
    operations: [
      UserPoolOperation.DEFINE_AUTH_CHALLENGE,
      UserPoolOperation.CREATE_AUTH_CHALLENGE,
      UserPoolOperation.VERIFY_AUTH_CHALLENGE_RESPONSE,
    ],
    entry: 'triggers/sign-in-by-ticket',
    description: 'Signs in with the ticket that our routes give for a proved address.',
    actions: [],
  },
} as const satisfies Record<string, Trigger>;

/** The user pool's triggers: functions that Cognito calls during sign-up, sign-in and password reset. */
export class Triggers extends Construct {
  /** Writes the mails that Cognito sends. */
  readonly customMessage: Function;
  /** The log of all these functions. */
  readonly log: LogGroup;
  readonly #props: TriggersProps;

  constructor(scope: Construct, id: string, props: TriggersProps) {
    super(scope, id);
    this.#props = props;
    this.log = createLog(this, 'Logs', props.functions);
    this.customMessage = this.#add('CustomMessage', triggers.CustomMessage);
    const others = ['PostConfirmation', 'PreSignUp', 'PreTokenGeneration', 'SignInByTicket'] as const;
    const all = [this.customMessage, ...others.map((name) => this.#add(name, triggers[name]))];
    props.alarms.add('AccountTriggers', {
      severity: 'page',
      // A trigger refuses by throwing, so Lambda counts refusals as errors. Any caller can cause many
      // refusals, so no threshold could tell them from an outage.
      metric: sum(
        all.map((trigger) => trigger.metricErrors({ period: PROMPT })),
        ownMetric('TriggerRefusals', props.functions.metricNamespace),
      ),
      periods: TWICE_AN_HOUR,
      logs: errorsIn({ logGroup: this.log }),
    });
  }

  #add(id: string, { operations, entry, description, actions }: Trigger): Function {
    const { pool, functions } = this.#props;
    const trigger = new AppFunction(this, id, {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description,
      // Cognito waits five seconds, then calls again.
      timeout: Duration.seconds(5),
      log: this.log,
    });
    for (const operation of operations) pool.addTrigger(operation, trigger);
    if (trigger.role && actions.length > 0) {
      // A separate policy. In the role's default policy these rights would make a cycle: the function depends
      // on that policy, the policy on the pool, and the pool on the function.
      new Policy(this, `${id}PoolRights`, {
        roles: [trigger.role],
        statements: [
          new PolicyStatement({
            actions: actions.map((action) => `cognito-idp:Admin${action}`),
            resources: [pool.userPoolArn],
          }),
        ],
      });
    }
    return trigger;
  }
}
