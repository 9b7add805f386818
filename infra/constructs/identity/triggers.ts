import { Duration } from 'aws-cdk-lib';
import { type UserPool, UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type BackgroundFunction, backgroundFunctions } from '../../../schemas/background-functions.ts';
import { type Alarms, TWICE_AN_HOUR } from '../alarms/alarms.ts';
import { AppFunction, type FunctionSettings } from '../lambda/app-function.ts';
import { errorsIn } from '../alarms/console-link.ts';
import { DAY, errorsWithoutRefusals, ownMetric } from '../alarms/event-metrics.ts';

export interface TriggersProps {
  pool: UserPool;
  functions: FunctionSettings;
  alarms: Alarms;
}

/** The user pool's triggers: functions that Cognito calls during sign-up, sign-in and password reset. */
export class Triggers extends Construct {
  /** Writes the mails that Cognito sends. */
  readonly customMessage: Function;
  readonly #props: TriggersProps;

  constructor(scope: Construct, id: string, props: TriggersProps) {
    super(scope, id);
    this.#props = props;
    this.customMessage = this.#addCustomMessage();
    this.#addPostConfirmation();
    this.#addPreSignUp();
    this.#addPreTokenGeneration();
  }

  #addCustomMessage(): Function {
    const trigger = this.#add('CustomMessage', {
      operation: UserPoolOperation.CUSTOM_MESSAGE,
      entry: 'triggers/custom-message',
      description: 'Writes the mails that Cognito sends.',
      actions: ['cognito-idp:AdminDeleteUser', 'cognito-idp:AdminGetUser'],
    });
    this.#props.alarms.add('Mail', {
      severity: 'page',
      metric: errorsWithoutRefusals(trigger, 'RefusedMessages', this.#props.functions.metricNamespace),
      periods: TWICE_AN_HOUR,
      logs: errorsIn(trigger),
    });
    return trigger;
  }

  #addPostConfirmation(): void {
    const trigger = this.#add('PostConfirmation', {
      operation: UserPoolOperation.POST_CONFIRMATION,
      entry: 'triggers/post-confirmation',
      description: 'Creates the plan of a new account, and ends sessions after a password reset.',
      actions: [
        'cognito-idp:AdminDeleteUser',
        'cognito-idp:AdminGetUser',
        'cognito-idp:AdminSetUserPassword',
        'cognito-idp:AdminUpdateUserAttributes',
        'cognito-idp:AdminUserGlobalSignOut',
      ],
    });
    this.#props.alarms.add('SignUpTriggers', {
      severity: 'page',
      metric: errorsWithoutRefusals(trigger, 'RefusedConfirmations', this.#props.functions.metricNamespace),
      periods: TWICE_AN_HOUR,
      logs: errorsIn(trigger),
    });
  }

  #addPreSignUp(): void {
    const trigger = this.#add('PreSignUp', {
      operation: UserPoolOperation.PRE_SIGN_UP,
      entry: 'triggers/pre-sign-up',
      description: 'Links the profile of a provider to the account with the same address.',
      actions: [
        'cognito-idp:AdminDeleteUser',
        'cognito-idp:AdminDisableProviderForUser',
        'cognito-idp:AdminGetUser',
        'cognito-idp:AdminLinkProviderForUser',
        'cognito-idp:AdminSetUserPassword',
        'cognito-idp:AdminUserGlobalSignOut',
      ],
    });
    this.#props.alarms.add('AccountLinking', {
      severity: 'page',
      metric: errorsWithoutRefusals(trigger, 'RefusedSignUps', this.#props.functions.metricNamespace),
      periods: TWICE_AN_HOUR,
      logs: errorsIn(trigger),
    });
  }

  #addPreTokenGeneration(): void {
    const { alarms, functions } = this.#props;
    const trigger = this.#add('PreTokenGeneration', {
      operation: UserPoolOperation.PRE_TOKEN_GENERATION,
      entry: 'triggers/pre-token-generation',
      description: 'Records use of the account, and follows an address that was changed at the provider.',
      actions: [
        'cognito-idp:AdminDeleteUser',
        'cognito-idp:AdminGetUser',
        'cognito-idp:AdminUpdateUserAttributes',
      ],
    });
    alarms.add('SignInTrigger', {
      severity: 'page',
      metric: errorsWithoutRefusals(trigger, 'RefusedTokens', functions.metricNamespace),
      periods: TWICE_AN_HOUR,
      logs: errorsIn(trigger),
    });
    alarms.add('UnrecordedUses', {
      severity: 'mail',
      metric: ownMetric('UnrecordedUses', functions.metricNamespace, { period: DAY }),
      // A user renews a token many times a day, so a few failures lose nothing.
      threshold: 100,
      logs: errorsIn(trigger),
    });
  }

  /** `actions`: the trigger's rights to its own pool. */
  #add(
    id: string,
    {
      operation,
      entry,
      description,
      actions = [],
    }: {
      operation: UserPoolOperation;
      entry: BackgroundFunction;
      description: string;
      actions?: string[];
    },
  ): Function {
    const { pool, functions } = this.#props;
    const trigger = new AppFunction(this, id, {
      ...functions,
      entry,
      access: backgroundFunctions[entry],
      description,
      // Cognito waits five seconds, then calls again.
      timeout: Duration.seconds(5),
    });
    pool.addTrigger(operation, trigger);
    if (actions.length > 0 && trigger.role) {
      // A separate policy. In the role's default policy these rights would make a cycle: the function depends
      // on that policy, the policy on the pool, and the pool on the function.
      new Policy(this, `${id}PoolRights`, {
        roles: [trigger.role],
        statements: [new PolicyStatement({ actions, resources: [pool.userPoolArn] })],
      });
    }
    return trigger;
  }
}
