import path from 'node:path';
import { Annotations, Aws, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { App } from 'aws-cdk-lib';
import { api, type Endpoint } from '../schemas/api.ts';
import { type BackgroundFunction, backgroundFunctions } from '../schemas/environment.ts';
import { product } from '../schemas/product.ts';
import { Alarms } from './constructs/alarms.ts';
import { Api, API_STAGE } from './constructs/api.ts';
import { AppFunction, type Provisions } from './constructs/app-function.ts';
import { Data } from './constructs/data.ts';
import { Firewall } from './constructs/firewall.ts';
import { Identity, signInOrigin } from './constructs/identity.ts';
import { IdentityIssuer } from './constructs/identity-issuer.ts';
import { MailSender } from './constructs/mail-sender.ts';
import { Schedules } from './constructs/schedules.ts';
import { Website } from './constructs/website.ts';
import { placeholdersOf } from './placeholders.ts';
import { type Stage, type StageName, stages } from './stages.ts';

export interface SelfsameStackProps {
  stageName: StageName;
  /** @default the stage of that name */
  stage?: Stage;
  /** Folder of the built site. */
  site: string;
  /** @default the product's */
  routes?: Readonly<Record<string, Endpoint>>;
  /** Folder of the handlers. @default functions/ */
  handlers?: string;
}

const retention = { 7: RetentionDays.ONE_WEEK, 30: RetentionDays.ONE_MONTH, 90: RetentionDays.THREE_MONTHS };

/** The web side of the product, one stage of it. */
export class SelfsameStack extends Stack {
  constructor(
    app: App,
    {
      stageName,
      stage = stages[stageName],
      site,
      routes = api,
      handlers = functionsFolder,
    }: SelfsameStackProps,
  ) {
    super(app, `${product.slug}-${stageName}`, {
      // The privacy policy says that hosting is in the United States; CloudFront's certificate lives here too.
      env: { region: 'us-east-1' },
      terminationProtection: stage.keepsData,
      description: `${product.name}: site, accounts and plans (${stageName})`,
    });
    const logRetention = retention[stage.logDays];
    for (const { file, setting } of placeholdersOf(stage)) {
      // `deploy:production` runs with --strict, which turns this warning into an error.
      Annotations.of(this).addWarningV2(
        `selfsame:placeholder-${setting}`,
        `${setting} is still a placeholder. Set it in ${file}.`,
      );
    }

    const alarms = new Alarms(this, 'Alarms', { email: stage.alarmEmail });
    const data = new Data(this, 'Data', { keepsData: stage.keepsData });
    const httpApi = new HttpApi(this, 'HttpApi', { apiName: this.stackName, createDefaultStage: false });
    const website = new Website(this, 'Website', {
      stage,
      httpApi,
      site,
      firewall: new Firewall(this, 'Firewall', { name: this.stackName }),
    });
    const secretName = (name: string): string => `${product.slug}/${stageName}/${name}`;
    const keys = (id: string, called: string, shape: string): Secret =>
      new Secret(this, id, {
        secretName: secretName(called),
        description: `${id}: ${shape}. Put the real ones here after the first deployment.`,
        // Of another shape, so that a function that finds it says that the keys are missing.
        generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'placeholder' },
        removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      });
    const stripe = keys('Stripe', 'stripe', '{"secretKey", "webhookSecret"}');
    const github = keys('GitHub', 'github', '{"clientId", "clientSecret"}');
    const issuer = new IdentityIssuer(this, 'Issuer', { secretName: secretName('github-oidc') });
    const mail = new MailSender(this, 'MailSender', {
      mailbox: stage.mailbox,
      metricNamespace: this.stackName,
      alarms,
    });

    const provisions: Provisions = {
      readPlans: {
        environment: { PLANS_TABLE: data.userPlans.tableName },
        grant: (to) => data.userPlans.grant(to, 'dynamodb:GetItem', 'dynamodb:Query'),
      },
      // Rows are put, changed and read by key, and found through the index. Nothing scans.
      writePlans: {
        environment: { PLANS_TABLE: data.userPlans.tableName },
        grant: (to) =>
          data.userPlans.grant(
            to,
            'dynamodb:GetItem',
            'dynamodb:PutItem',
            'dynamodb:Query',
            'dynamodb:UpdateItem',
          ),
      },
      deletePlans: {
        environment: { PLANS_TABLE: data.userPlans.tableName },
        grant: (to) => data.userPlans.grant(to, 'dynamodb:DeleteItem'),
      },
      joinWaitlist: {
        environment: { WAITLIST_TABLE: data.waitlist.tableName },
        grant: (to) => data.waitlist.grant(to, 'dynamodb:PutItem'),
      },
      readWaitlist: {
        environment: { WAITLIST_TABLE: data.waitlist.tableName },
        grant: (to) => data.waitlist.grant(to, 'dynamodb:GetItem'),
      },
      stripe: {
        environment: { STRIPE_API: 'https://api.stripe.com', STRIPE_SECRET_ID: stripe.secretName },
        grant: (to) => stripe.grantRead(to),
      },
      site: { environment: { SITE_URL: website.url }, grant: () => {} },
      mail: { environment: { MAIL_FROM: mail.from }, grant: (to) => mail.grantSend(to) },
      // Read when a function asks: the pool stands after its own triggers, which ask for other things.
      findAccounts: {
        get environment() {
          return { USER_POOL_ID: identity.pool.userPoolId };
        },
        grant: (to) => identity.pool.grant(to, 'cognito-idp:ListUsers'),
      },
      github: {
        environment: {
          GITHUB_URL: 'https://github.com',
          GITHUB_API: 'https://api.github.com',
          GITHUB_SECRET_ID: github.secretName,
        },
        grant: (to) => github.grantRead(to),
      },
      signIdentities: {
        environment: {
          OIDC_KEY_ID: issuer.key.keyId,
          OIDC_SECRET_ID: issuer.secret.secretName,
          COGNITO_CALLBACK: `${signInOrigin(stage)}/oauth2/idpresponse`,
        },
        grant: (to) => {
          issuer.key.grant(to, 'kms:Sign', 'kms:GetPublicKey');
          issuer.secret.grantRead(to);
        },
      },
    };

    const trigger = (id: string, entry: BackgroundFunction, description: string): AppFunction =>
      new AppFunction(this, id, {
        entry,
        handlers,
        needs: backgroundFunctions[entry],
        provisions,
        description,
        // Cognito waits five seconds, then tries again.
        timeout: Duration.seconds(5),
        logRetention,
      });
    const identity = new Identity(this, 'Identity', {
      stage,
      siteUrl: website.url,
      githubIssuer: `${website.url}/${API_STAGE}/github-oidc`,
      issuer,
      googleSecretName: secretName('google'),
      customMessage: trigger(
        'CustomMessage',
        'triggers/custom-message',
        'Writes the mail that Cognito sends.',
      ),
      postConfirmation: trigger(
        'PostConfirmation',
        'triggers/post-confirmation',
        'Opens the Free plan of a new account.',
      ),
      preSignUp: trigger(
        'PreSignUp',
        'triggers/pre-sign-up',
        'Says whether somebody who comes by Google or GitHub joins an account that stands.',
      ),
      metricNamespace: this.stackName,
      alarms,
    });

    new Api(this, 'Api', {
      httpApi,
      routes,
      handlers,
      provisions,
      identity,
      throttle: stage.throttle,
      metricNamespace: this.stackName,
      logRetention,
      alarms,
    });
    new Schedules(this, 'Schedules', {
      stackName: this.stackName,
      handlers,
      provisions,
      logRetention,
      alarms,
    });
    website.deploy({
      userPoolId: identity.pool.userPoolId,
      userPoolClientId: identity.client.userPoolClientId,
      userPoolEndpoint: `https://cognito-idp.${Aws.REGION}.amazonaws.com`,
      signInOrigin: signInOrigin(stage),
      relayClientId: identity.relayClient.userPoolClientId,
      relayAddresses: [...stage.relayAddresses, `${website.url}/oauth/demo`],
      stripePublishableKey: stage.stripePublishableKey,
    });

    new CfnOutput(this, 'SiteUrl', { value: website.url });
    // The target of a custom domain's DNS record.
    new CfnOutput(this, 'DistributionDomain', { value: website.distributionDomain });
    new CfnOutput(this, 'WebhookUrl', { value: `${website.url}/${API_STAGE}${api['stripe-webhook'].path}` });
    new CfnOutput(this, 'StripeSecretName', { value: stripe.secretName });
    new CfnOutput(this, 'GitHubSecretName', { value: github.secretName });
    new CfnOutput(this, 'SignInCallback', { value: `${signInOrigin(stage)}/oauth2/idpresponse` });
    new CfnOutput(this, 'GitHubCallback', { value: `${website.url}/${API_STAGE}/github-oidc/callback` });
    for (const [index, { name, value }] of mail.records.entries()) {
      new CfnOutput(this, `MailRecord${index + 1}`, { value: `${name} CNAME ${value}` });
    }
    new CfnOutput(this, 'UserPoolId', { value: identity.pool.userPoolId });
    new CfnOutput(this, 'UserPoolClientId', { value: identity.client.userPoolClientId });
  }
}

const functionsFolder = path.resolve(import.meta.dirname, '../functions');
