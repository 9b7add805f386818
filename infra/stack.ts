import path from 'node:path';
import { Aws, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
import { Identity } from './constructs/identity.ts';
import { Schedules } from './constructs/schedules.ts';
import { Website } from './constructs/website.ts';
import { type Stage, type StageName, stages } from './stages.ts';

export interface SelfsameStackProps {
  stageName: StageName;
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
  constructor(app: App, { stageName, site, routes = api, handlers = functionsFolder }: SelfsameStackProps) {
    super(app, `${product.slug}-${stageName}`, {
      // The privacy policy says that hosting is in the United States; CloudFront's certificate lives here too.
      env: { region: 'us-east-1' },
      terminationProtection: stages[stageName].keepsData,
      description: `${product.name}: site, accounts and plans (${stageName})`,
    });
    const stage: Stage = stages[stageName];
    const logRetention = retention[stage.logDays];

    const alarms = new Alarms(this, 'Alarms', { email: stage.alarmEmail });
    const data = new Data(this, 'Data', { keepsData: stage.keepsData });
    const httpApi = new HttpApi(this, 'HttpApi', { apiName: this.stackName, createDefaultStage: false });
    const website = new Website(this, 'Website', { stage, httpApi, site });
    const stripe = new Secret(this, 'Stripe', {
      secretName: `${product.slug}/${stageName}/stripe`,
      description:
        'Stripe: {"secretKey", "webhookSecret"}. Put the real ones here after the first deployment.',
      // Not a StripeSecret, so that a function that finds it says that the keys are missing.
      generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'placeholder' },
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });

    const provisions: Provisions = {
      readPlans: {
        environment: { PLANS_TABLE: data.userPlans.tableName },
        grant: (to) => data.userPlans.grant(to, 'dynamodb:GetItem', 'dynamodb:Query'),
      },
      // Rows are put, changed and read by key, and found through the index. Nothing scans, nothing deletes.
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
      joinWaitlist: {
        environment: { WAITLIST_TABLE: data.waitlist.tableName },
        grant: (to) => data.waitlist.grant(to, 'dynamodb:PutItem'),
      },
      stripe: {
        environment: { STRIPE_API: 'https://api.stripe.com', STRIPE_SECRET_ID: stripe.secretName },
        grant: (to) => stripe.grantRead(to),
      },
      site: { environment: { SITE_URL: website.url }, grant: () => {} },
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
      customMessage: trigger(
        'CustomMessage',
        'identity/custom-message',
        'Writes the mail that Cognito sends.',
      ),
      postConfirmation: trigger(
        'PostConfirmation',
        'identity/post-confirmation',
        'Opens the Free plan of a new account.',
      ),
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
      stripePublishableKey: stage.stripePublishableKey,
    });

    new CfnOutput(this, 'SiteUrl', { value: website.url });
    new CfnOutput(this, 'WebhookUrl', { value: `${website.url}/${API_STAGE}${api['stripe-webhook'].path}` });
    new CfnOutput(this, 'StripeSecretName', { value: stripe.secretName });
    new CfnOutput(this, 'UserPoolId', { value: identity.pool.userPoolId });
    new CfnOutput(this, 'UserPoolClientId', { value: identity.client.userPoolClientId });
  }
}

const functionsFolder = path.resolve(import.meta.dirname, '../functions');
