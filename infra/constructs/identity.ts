import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPoolClient,
  FeaturePlan,
  Mfa,
  UserPool,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { limits } from '../../schemas/product.ts';
import type { Stage } from '../stages.ts';
import { type Alarms, PROMPT } from './alarms.ts';

export interface IdentityProps {
  stage: Stage;
  /** Writes the mail that Cognito sends. */
  customMessage: Function;
  /** Opens the plan of a new account. */
  postConfirmation: Function;
  alarms: Alarms;
}

/** Accounts: the user pool and the site's client. */
export class Identity extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient;

  constructor(
    scope: Construct,
    id: string,
    { stage, customMessage, postConfirmation, alarms }: IdentityProps,
  ) {
    super(scope, id);
    this.pool = new UserPool(this, 'Pool', {
      featurePlan: stage.featurePlan === 'LITE' ? FeaturePlan.LITE : FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A new address has to be confirmed before it takes the old one's place.
      keepOriginal: { email: true },
      standardAttributes: { email: { required: true, mutable: true }, fullname: { mutable: true } },
      // Length and nothing else: rules about characters make passwords worse (NIST SP 800-63B, 3.1.1.2).
      passwordPolicy: {
        minLength: limits.minimumPasswordLength,
        requireDigits: false,
        requireLowercase: false,
        requireSymbols: false,
        requireUppercase: false,
      },
      mfa: Mfa.OFF,
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      lambdaTriggers: { customMessage, postConfirmation },
      deletionProtection: stage.keepsData,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });

    this.client = this.pool.addClient('Site', {
      authFlows: { userSrp: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      accessTokenValidity: Duration.minutes(15),
      idTokenValidity: Duration.minutes(15),
      // Sixty days from sign-in, however often it is rotated (specification, section 9).
      refreshTokenValidity: Duration.days(60),
      // A page that is closed between Cognito's answer and its own note of it may ask once more.
      refreshTokenRotationGracePeriod: Duration.seconds(30),
      enableTokenRevocation: true,
    });
    // Cognito refuses rotation together with the flow that CDK adds to every client.
    const { explicitAuthFlows = [] } = this.client.node.defaultChild as CfnUserPoolClient;
    (this.client.node.defaultChild as CfnUserPoolClient).explicitAuthFlows = explicitAuthFlows.filter(
      (flow) => flow !== 'ALLOW_REFRESH_TOKEN_AUTH',
    );

    alarms.add('SignUpTriggers', {
      metric: postConfirmation.metricErrors({ period: PROMPT }),
      loss: 'People who sign up get no plan row until they first open a page that reads it.',
      look: 'See the log of the post-confirmation function.',
    });
    alarms.add('Mail', {
      metric: customMessage.metricErrors({ period: PROMPT }),
      loss: 'Nobody can sign up or reset a password: Cognito sends no mail while this trigger fails.',
      look: 'See the log of the custom-message function.',
    });
  }
}
