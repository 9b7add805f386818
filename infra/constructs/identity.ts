import { Aws, Duration, RemovalPolicy, SecretValue } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPoolClient,
  FeaturePlan,
  Mfa,
  OAuthScope,
  OidcAttributeRequestMethod,
  ProviderAttribute,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolEmail,
  UserPoolIdentityProviderGoogle,
  UserPoolIdentityProviderOidc,
} from 'aws-cdk-lib/aws-cognito';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { COGNITO_CLIENT_ID } from '../../schemas/environment.ts';
import { LOG_EVENT_FIELD, type LogEvent } from '../../schemas/log-events.ts';
import { limits, product } from '../../schemas/product.ts';
import type { Stage } from '../stages.ts';
import { type Alarms, PROMPT } from './alarms.ts';
import type { IdentityIssuer } from './identity-issuer.ts';

export interface IdentityProps {
  stage: Stage;
  /** Origin of the site. */
  siteUrl: string;
  /** Address below which our OpenID Connect face of GitHub answers. */
  githubIssuer: string;
  issuer: IdentityIssuer;
  /** Secrets Manager secret with Google's client, an `OAuthClientSecret`; there before the stack is. */
  googleSecretName: string;
  /** Writes the mail that Cognito sends. */
  customMessage: Function;
  /** Opens the plan of a new account, and ends the sessions of one whose password was reset. */
  postConfirmation: Function;
  /** Says whether somebody who comes by a provider joins an account that stands. */
  preSignUp: Function;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  alarms: Alarms;
}

/** Origin of the pages where people sign in by others. */
export const signInOrigin = ({ signInPrefix }: Stage): string =>
  `https://${signInPrefix}.auth.${Aws.REGION}.amazoncognito.com`;

const tokenLifetimes = {
  accessTokenValidity: Duration.minutes(15),
  idTokenValidity: Duration.minutes(15),
  // Sixty days from sign-in, rotated or not.
  refreshTokenValidity: Duration.days(60),
  enableTokenRevocation: true,
};

/** Rotation is a feature of Essentials: Cognito refuses it for a client of a Lite pool. */
const rotates = ({ featurePlan }: Stage): boolean => featurePlan === 'ESSENTIALS';

// Cognito demands this flow of a client without rotation, and refuses it of one with rotation.
const REFRESH = 'ALLOW_REFRESH_TOKEN_AUTH';

/** Accounts: the user pool, who else may vouch for people, and the clients of the site and of the relay. */
export class Identity extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient;
  readonly relayClient: UserPoolClient;

  constructor(scope: Construct, id: string, props: IdentityProps) {
    super(scope, id);
    const { stage, siteUrl, customMessage, postConfirmation, preSignUp, alarms } = props;
    const [, mailDomain = ''] = stage.mailbox.split('@');
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
      lambdaTriggers: { customMessage, postConfirmation, preSignUp },
      ...(stage.sendsThroughSes && {
        email: UserPoolEmail.withSES({
          fromEmail: stage.mailbox,
          fromName: product.name,
          sesVerifiedDomain: mailDomain,
        }),
      }),
      deletionProtection: stage.keepsData,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // On its own: in the function's role it would have to stand before the function, which has to stand before the pool.
    new Policy(this, 'JoinAccounts', {
      roles: preSignUp.role ? [preSignUp.role] : [],
      statements: [
        new PolicyStatement({
          actions: [
            'cognito-idp:AdminGetUser',
            'cognito-idp:AdminLinkProviderForUser',
            'cognito-idp:ListUsers',
          ],
          resources: [this.pool.userPoolArn],
        }),
      ],
    });
    // In a reset's trigger: whoever has stolen a session keeps it otherwise.
    new Policy(this, 'EndSessions', {
      roles: postConfirmation.role ? [postConfirmation.role] : [],
      statements: [
        new PolicyStatement({
          actions: ['cognito-idp:AdminUserGlobalSignOut'],
          resources: [this.pool.userPoolArn],
        }),
      ],
    });
    this.pool.addDomain('Domain', { cognitoDomain: { domainPrefix: stage.signInPrefix } });

    const providers = this.#providers(props);
    const { OPENID, EMAIL, PROFILE, COGNITO_ADMIN } = OAuthScope;
    this.client = this.#client('Site', stage, {
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OPENID, EMAIL, PROFILE, COGNITO_ADMIN],
        callbackUrls: [`${siteUrl}/dashboard`],
        logoutUrls: [`${siteUrl}/`],
      },
    });
    setFlows(this.client, rotates(stage) ? ['ALLOW_USER_SRP_AUTH'] : ['ALLOW_USER_SRP_AUTH', REFRESH]);
    this.relayClient = this.#client('Relay', stage, {
      // What another app holds opens neither the API nor the account: no scope for either.
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OPENID, EMAIL, PROFILE],
        callbackUrls: [`${siteUrl}/oauth/callback`],
      },
    });
    // Without a list Cognito allows passwords. Custom challenges need triggers, which this pool doesn't have.
    setFlows(this.relayClient, rotates(stage) ? ['ALLOW_CUSTOM_AUTH'] : [REFRESH]);
    for (const client of [this.client, this.relayClient]) client.node.addDependency(...providers);

    alarms.add('SignUpTriggers', {
      metric: postConfirmation.metricErrors({ period: PROMPT }),
      loss: 'People who sign up get no plan row until they first open a page that reads it.',
      look: 'See the log of the post-confirmation function.',
    });
    alarms.add('Mail', {
      metric: errorsWithoutRefusals(customMessage, props.metricNamespace),
      loss: 'Nobody can sign up or reset a password: Cognito sends no mail while this trigger fails.',
      look: 'See the log of the custom-message function.',
    });
    alarms.add('Joining', {
      metric: preSignUp.metricErrors({ period: PROMPT }),
      // Its refusals count as errors too, and a few of them are everyday.
      threshold: 20,
      loss: 'Nobody can sign up, nor sign in by Google or GitHub for the first time, if this trigger fails for all.',
      look: 'See the log of the pre-sign-up function, which tells refusals from failures.',
    });
  }

  #providers({ githubIssuer, googleSecretName, issuer }: IdentityProps): Construct[] {
    const google = (jsonField: string): SecretValue =>
      SecretValue.secretsManager(googleSecretName, { jsonField });
    return [
      new UserPoolIdentityProviderGoogle(this, 'Google', {
        userPool: this.pool,
        clientId: google('clientId').unsafeUnwrap(),
        clientSecretValue: google('clientSecret'),
        scopes: ['openid', 'email', 'profile'],
        attributeMapping: {
          email: ProviderAttribute.GOOGLE_EMAIL,
          emailVerified: ProviderAttribute.GOOGLE_EMAIL_VERIFIED,
          fullname: ProviderAttribute.GOOGLE_NAME,
        },
      }),
      new UserPoolIdentityProviderOidc(this, 'GitHub', {
        userPool: this.pool,
        name: 'GitHub',
        clientId: COGNITO_CLIENT_ID,
        clientSecret: issuer.secret.secretValueFromJson('clientSecret').unsafeUnwrap(),
        issuerUrl: githubIssuer,
        // By hand: Cognito would ask for the discovery document while the site it stands on is still being made.
        endpoints: {
          authorization: `${githubIssuer}/authorize`,
          token: `${githubIssuer}/token`,
          userInfo: `${githubIssuer}/userinfo`,
          jwksUri: `${githubIssuer}/jwks`,
        },
        attributeRequestMethod: OidcAttributeRequestMethod.GET,
        scopes: ['openid', 'email', 'profile'],
        attributeMapping: {
          email: ProviderAttribute.other('email'),
          emailVerified: ProviderAttribute.other('email_verified'),
          fullname: ProviderAttribute.other('name'),
        },
      }),
    ];
  }

  #client(
    name: string,
    stage: Stage,
    settings: Omit<ConstructorParameters<typeof UserPoolClient>[2], 'userPool'>,
  ): UserPoolClient {
    return this.pool.addClient(name, {
      ...tokenLifetimes,
      ...settings,
      // A page that is closed between Cognito's answer and its own note of it may ask once more.
      ...(rotates(stage) && { refreshTokenRotationGracePeriod: Duration.seconds(30) }),
      preventUserExistenceErrors: true,
      // Without Cognito itself, whose own pages for passwords nobody needs: the site has its own, and what asks the API by
      // password goes on working.
      supportedIdentityProviders: [
        UserPoolClientIdentityProvider.GOOGLE,
        UserPoolClientIdentityProvider.custom('GitHub'),
      ],
    });
  }
}

/**
 * Errors of the function that its log doesn't explain as refusals. Lambda counts a refusal as an error, and
 * anybody with an account can cause as many as they like: no threshold would tell them from an outage.
 */
function errorsWithoutRefusals(trigger: Function, metricNamespace: string): IMetric {
  const refusals = trigger.logGroup
    .addMetricFilter('Refusals', {
      filterPattern: FilterPattern.stringValue(LOG_EVENT_FIELD, '=', 'code-refused' satisfies LogEvent),
      metricNamespace,
      metricName: 'RefusedMessages',
    })
    .metric({ period: PROMPT, statistic: 'sum' });
  return new MathExpression({
    expression: 'errors - FILL(refusals, 0)',
    usingMetrics: { errors: trigger.metricErrors({ period: PROMPT }), refusals },
    period: PROMPT,
  });
}

function setFlows(client: UserPoolClient, flows: string[]): void {
  (client.node.defaultChild as CfnUserPoolClient).explicitAuthFlows = flows;
}
