import { Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPool,
  type CfnUserPoolClient,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPool,
  type UserPoolClient,
  type UserPoolClientOptions,
  UserPoolClientIdentityProvider,
  UserPoolEmail,
} from 'aws-cdk-lib/aws-cognito';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { limits, product } from '../../../schemas/product/product.ts';
import { providers as catalogue } from '../../../schemas/product/providers.ts';
import { mailDomainOf } from '../../stages/mail-records.ts';
import type { Stage } from '../../stages/stage.ts';
import { addIdentityProviders, type IdentityProvidersProps } from './providers/provider-modules.ts';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { KeySecret } from '../../../schemas/config/environment.ts';
import { generatedSecret } from '../generated-secret.ts';
import { PROMPT } from '../alarms/alarms.ts';
import { addOutputs } from '../outputs.ts';
import { allowFindings } from '../rule-exceptions.ts';
import type { MailSender } from '../mail/mail-sender.ts';

export interface IdentityProps {
  stage: Stage;
  /** Origin of the site. */
  siteUrl: string;
  providers: Omit<IdentityProvidersProps, 'enabled'>;
  /**
   * Whether the stack doesn't exist yet. The second deployment changes the pool in any stage: Cognito has
   * refused every change of some pools.
   */
  isFirst: boolean;
  /** The SES identity that Cognito sends with. It exists before the pool. */
  mail: Pick<MailSender, 'identity' | 'configurationSet'>;
}

/** Origin of the user pool's hosted domain, which starts sign-ins with providers. */
export const signInOrigin = ({ signInPrefix, region }: Stage): string =>
  `https://${signInPrefix}.auth.${region}.amazoncognito.com`;

/** The address to which Cognito redirects after a sign-in for an app. */
export const relayCallback = (siteUrl: string): string => `${siteUrl}/oauth/callback`;

/** The address that providers redirect to after a sign-in. */
export const signInCallback = (stage: Stage): string => `${signInOrigin(stage)}/oauth2/idpresponse`;

const tokenLifetimes = {
  accessTokenValidity: Duration.minutes(15),
  idTokenValidity: Duration.minutes(15),
  // Sixty days from the sign-in, with or without rotation.
  refreshTokenValidity: Duration.days(60),
  enableTokenRevocation: true,
};

/** The attributes that a client's access tokens may write. */
const WRITABLE = new ClientAttributes().withStandardAttributes({ email: true, fullname: true });

/** The settings of a client for our functions: only callers with AWS credentials can sign in with it. */
export const serverClient: UserPoolClientOptions = {
  authFlows: { adminUserPassword: true },
  disableOAuth: true,
  supportedIdentityProviders: [],
  writeAttributes: WRITABLE,
  accessTokenValidity: PROMPT,
  idTokenValidity: PROMPT,
  refreshTokenValidity: Duration.hours(1),
  preventUserExistenceErrors: true,
};

const textOf = (name: string, more: Partial<CfnUserPool.SchemaAttributeProperty>) => ({
  name,
  // Cognito refused every change of pools without a type:
  // https://github.com/aws-amplify/amplify-backend/issues/3299
  attributeDataType: 'String',
  mutable: true,
  ...more,
});

/**
 * The pool's attributes. Cognito takes those of a standard attribute only as the pool is created ("Working
 * with user attributes", developer guide), and an access token could remove an address that isn't required.
 */
const attributes: CfnUserPool.SchemaAttributeProperty[] = [
  textOf('email', { required: true }),
  textOf('name', {
    stringAttributeConstraints: { minLength: '0', maxLength: String(limits.storedNameLength) },
  }),
  // The hash of the secret of the browser that signed up: `schemas/sign-up-browser.ts`.
  textOf('browser', { mutable: false, stringAttributeConstraints: { maxLength: '64' } }),
];

/** Rotation is a feature of Essentials: Cognito refuses to rotate tokens in a Lite pool. */
const rotatesTokens = ({ featurePlan }: Stage): boolean => featurePlan === 'ESSENTIALS';

// Cognito requires this flow for a client without rotation, and refuses it for a client with rotation.
const REFRESH = 'ALLOW_REFRESH_TOKEN_AUTH';

/** The user pool with its identity providers and clients, and the secrets of apps' tokens and of proofs. */
export class Identity extends Construct {
  readonly pool: UserPool;
  /** The site's client. */
  readonly client: UserPoolClient;
  readonly relayClient: UserPoolClient;
  /** The client of our function that checks a user's password. Nobody gets its tokens. */
  readonly passwordClient: UserPoolClient;
  readonly appTokensSecret: Secret;
  readonly proofsSecret: Secret;

  constructor(scope: Construct, id: string, props: IdentityProps) {
    super(scope, id);
    const { stage, siteUrl, providers, isFirst, mail } = props;
    this.pool = this.#createPool(stage, isFirst, mail.configurationSet);
    if (stage.sendsThroughSes) this.pool.node.addDependency(mail.identity);
    this.pool.addDomain('Domain', { cognitoDomain: { domainPrefix: stage.signInPrefix } });
    const providerConstructs = addIdentityProviders(this, this.pool, {
      ...providers,
      enabled: stage.providers,
    });
    this.client = this.#createSiteClient(stage, siteUrl);
    this.relayClient = this.#createRelayClient(stage, siteUrl);
    this.passwordClient = this.pool.addClient('Password', serverClient);
    this.appTokensSecret = generatedSecret(this, 'AppTokens', {
      key: 'key' satisfies keyof KeySecret,
      description: "What apps' refresh tokens are encrypted with.",
      unrotated: 'A new value would end every session of an app. It is random, and nobody ever sees it.',
    });
    this.proofsSecret = generatedSecret(this, 'Proofs', {
      key: 'key' satisfies keyof KeySecret,
      description: 'What the links in our mails are hashed with.',
      unrotated: 'A new value would end every link. It is random, and nobody ever sees it.',
    });
    addOutputs(this, {
      SignInCallback: signInCallback(stage),
      ...(providers.bridge && { GitHubCallback: `${providers.bridge.issuer}/callback` }),
      UserPoolId: this.pool.userPoolId,
      UserPoolClientId: this.client.userPoolClientId,
    });
    // A client may only name providers that the pool has.
    for (const client of [this.client, this.relayClient]) client.node.addDependency(...providerConstructs);
  }

  #createPool(stage: Stage, isFirst: boolean, configurationSet: ConfigurationSet): UserPool {
    const { userPoolNumber = 1 } = stage;
    const pool = new UserPool(this, userPoolNumber === 1 ? 'Pool' : `Pool${userPoolNumber}`, {
      featurePlan: stage.featurePlan === 'LITE' ? FeaturePlan.LITE : FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: !stage.signUpsClosed,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // The old address stays until the new address is verified.
      keepOriginal: { email: true },
      // Only the length counts: rules about characters make passwords worse (NIST SP 800-63B, 3.1.1.2).
      passwordPolicy: {
        minLength: limits.minimumPasswordLength,
        requireDigits: false,
        requireLowercase: false,
        requireSymbols: false,
        requireUppercase: false,
      },
      mfa: Mfa.OFF,
      // Our own link sets a password. Cognito's code could be guessed, and used up by a stranger.
      accountRecovery: AccountRecovery.NONE,
      ...(stage.sendsThroughSes && {
        email: UserPoolEmail.withSES({
          fromEmail: stage.mailbox,
          fromName: product.name,
          sesVerifiedDomain: mailDomainOf(stage.mailbox),
          configurationSetName: configurationSet.configurationSetName,
        }),
      }),
      deletionProtection: stage.keepsData && !isFirst,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    if (!stage.omitsPoolSchema) (pool.node.defaultChild as CfnUserPool).schema = attributes;
    allowFindings(pool, 'Rules about characters make passwords worse: NIST SP 800-63B, 3.1.1.2.', 'COG1');
    allowFindings(
      pool,
      'An account holds a plan and an address. Its owner may use a provider with MFA.',
      'COG2',
    );
    allowFindings(pool, 'Threat protection costs four times as much for each user.', 'COG8');
    // The smoke check may make its own user in a pool with this tag (infra/operate/deploy/deployer.json).
    if (!stage.canary && !isFirst) Tags.of(pool).add('smoke-check', Stack.of(this).stackName);
    return pool;
  }

  #createSiteClient(stage: Stage, siteUrl: string): UserPoolClient {
    const { OPENID, EMAIL, PROFILE, COGNITO_ADMIN } = OAuthScope;
    const client = this.#addClient('Site', stage, {
      // Written at the sign-up alone: the attribute can't be changed.
      writeAttributes: WRITABLE.withCustomAttributes('browser'),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OPENID, EMAIL, PROFILE, COGNITO_ADMIN],
        callbackUrls: [`${siteUrl}/dashboard`],
        // Targets after signing out, and after deleting the account.
        logoutUrls: [`${siteUrl}/login`, `${siteUrl}/`],
      },
    });
    const flows = ['ALLOW_USER_SRP_AUTH', 'ALLOW_CUSTOM_AUTH'];
    setAuthFlows(client, rotatesTokens(stage) ? flows : [...flows, REFRESH]);
    return client;
  }

  /** The relay's tokens go to other apps: they have no scope for account changes, nor for most of the API. */
  #createRelayClient(stage: Stage, siteUrl: string): UserPoolClient {
    const { OPENID, EMAIL, PROFILE } = OAuthScope;
    const client = this.#addClient('Relay', stage, {
      // Cognito's maximum: refreshes share 120 a second with all sign-ins. A token opens the plan alone,
      // until the user ends all sessions.
      accessTokenValidity: Duration.days(1),
      idTokenValidity: Duration.hours(1),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OPENID, EMAIL, PROFILE],
        callbackUrls: [relayCallback(siteUrl)],
      },
    });
    // Without a list, Cognito allows passwords. A custom challenge needs one of our tickets.
    setAuthFlows(client, rotatesTokens(stage) ? ['ALLOW_CUSTOM_AUTH'] : [REFRESH]);
    return client;
  }

  #addClient(
    id: string,
    stage: Stage,
    settings: Omit<ConstructorParameters<typeof UserPoolClient>[2], 'userPool'>,
  ): UserPoolClient {
    return this.pool.addClient(id, {
      ...tokenLifetimes,
      // A page that closes before it stores the new refresh token may send the old one again.
      ...(rotatesTokens(stage) && { refreshTokenRotationGracePeriod: Duration.seconds(30) }),
      preventUserExistenceErrors: true,
      // The attributes that an access token may write. Cognito requires each attribute that is required or
      // mapped from a provider, and refuses `email_verified`, which is mapped too ("Invalid write attributes
      // specified"). A new address needs a code, which the custom-message trigger refuses.
      writeAttributes: WRITABLE,
      // `COGNITO` is left out: it would add Cognito's own password pages. Password sign-in through Cognito's
      // API works regardless.
      supportedIdentityProviders: (stage.signUpsClosed ? [] : stage.providers).map((provider) =>
        UserPoolClientIdentityProvider.custom(catalogue[provider].poolName),
      ),
      ...settings,
    });
  }
}

function setAuthFlows(client: UserPoolClient, flows: string[]): void {
  (client.node.defaultChild as CfnUserPoolClient).explicitAuthFlows = flows;
}
