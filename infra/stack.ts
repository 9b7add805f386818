import path from 'node:path';
import { Annotations, Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { App } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { api } from '../schemas/api.ts';
import type { Endpoint } from '../schemas/endpoint.ts';
import { OAuthClientSecret } from '../schemas/environment.ts';
import { product } from '../schemas/product.ts';
import { providerNames } from '../schemas/providers.ts';
import type { SiteConfig } from '../schemas/site-config.ts';
import { StripeSecret } from '../schemas/stripe-secret.ts';
import { Alarms } from './constructs/alarms.ts';
import { Api, API_STAGE } from './constructs/api.ts';
import type { FunctionSettings } from './constructs/app-function.ts';
import { Canary, CanaryUser } from './constructs/canary.ts';
import { Dashboard } from './constructs/dashboard.ts';
import { Data } from './constructs/data.ts';
import { DeadLetters } from './constructs/dead-letters.ts';
import { Firewall } from './constructs/firewall.ts';
import { bundledCode, type CodeOf } from './constructs/function-code.ts';
import { GitHubOidcKeys } from './constructs/github-oidc-keys.ts';
import { Identity, signInCallback, signInOrigin } from './constructs/identity.ts';
import { MailSender } from './constructs/mail-sender.ts';
import { Schedules } from './constructs/schedules.ts';
import { ServiceAlarms } from './constructs/service-alarms.ts';
import { Triggers } from './constructs/triggers.ts';
import { VendorSecret } from './constructs/vendor-secret.ts';
import { Website } from './constructs/website.ts';
import { placeholdersOf } from './placeholders.ts';
import { provisionsOf } from './provisions.ts';
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
  /** @default handlers are bundled */
  codeOf?: CodeOf;
}

const functionsFolder = path.resolve(import.meta.dirname, '../functions');
const retentionDays = {
  7: RetentionDays.ONE_WEEK,
  30: RetentionDays.ONE_MONTH,
  90: RetentionDays.THREE_MONTHS,
};

/** One stage of the product's web side. */
export class SelfsameStack extends Stack {
  constructor(app: App, props: SelfsameStackProps) {
    const { stageName, site, routes = api, handlers = functionsFolder, codeOf = bundledCode } = props;
    const stage: Stage = props.stage ?? stages[stageName];
    super(app, `${product.slug}-${stageName}`, {
      // The privacy policy says that hosting is in the United States. CloudFront's certificate must be in
      // us-east-1.
      env: { region: 'us-east-1' },
      terminationProtection: stage.keepsData,
      description: `${product.name}: site, accounts and plans (${stageName})`,
    });
    this.#warnOfPlaceholders(stage);

    const { keepsData } = stage;
    const metricNamespace = this.stackName;
    const secretName = (name: string): string => `${product.slug}/${stageName}/${name}`;
    const vendorSecret = (id: string, name: string, schema: typeof StripeSecret | typeof OAuthClientSecret) =>
      new VendorSecret(this, id, { secretName: secretName(name), schema, keepsData });

    const alarms = this.#createAlarms(stage);
    const data = new Data(this, 'Data', { keepsData });
    const httpApi = new HttpApi(this, 'HttpApi', { apiName: this.stackName, createDefaultStage: false });
    const firewall = new Firewall(this, 'Firewall', { name: this.stackName, routes, alarms });
    const website = new Website(this, 'Website', { stage, httpApi, site, firewall });
    const siteUrl = website.url;
    const stripeSecret = vendorSecret('Stripe', 'stripe', StripeSecret);
    const githubSecret = vendorSecret('GitHub', 'github', OAuthClientSecret);
    const githubOidcKeys = new GitHubOidcKeys(this, 'Issuer', { secretName: secretName('github-oidc') });
    const mail = new MailSender(this, 'MailSender', { mailbox: stage.mailbox, metricNamespace, alarms });
    const githubIssuer = `${siteUrl}/${API_STAGE}/github-oidc`;
    const identity = new Identity(this, 'Identity', {
      stage,
      siteUrl,
      providers: { googleSecretName: secretName('google'), githubIssuer, githubOidcKeys },
    });

    const canaryUser = this.#createCanaryUser(stage, identity);
    const functions: FunctionSettings = {
      handlers,
      codeOf,
      provisions: provisionsOf({
        metricNamespace,
        data,
        siteUrl,
        stripeSecret,
        mail,
        pool: identity.pool,
        githubSecret,
        canaryUser,
        githubOidcKeys,
        signInCallback: signInCallback(stage),
      }),
      logRetention: retentionDays[stage.logDays],
      metricNamespace,
    };
    const triggers = new Triggers(this, 'Triggers', { pool: identity.pool, functions, alarms });
    const canaryClient = canaryUser?.client;
    const { throttle } = stage;
    new Api(this, 'Api', { httpApi, routes, functions, identity, canaryClient, throttle, alarms });
    if (canaryUser) new Canary(this, 'Canary', { stackName: this.stackName, functions, alarms });
    const deadLetters = new DeadLetters(this, 'DeadLetters', { alarms });
    new Schedules(this, 'Schedules', { stackName: this.stackName, functions, deadLetters, alarms });
    this.#watch({ stage, httpApi, firewall, data, website, identity, triggers, alarms });
    website.deploy(siteConfig(stage, identity, siteUrl));
    this.#addOutputs({
      SiteUrl: siteUrl,
      // The target of a custom domain's DNS record.
      DistributionDomain: website.distributionDomain,
      WebhookUrl: `${siteUrl}/${API_STAGE}${api['stripe-webhook'].path}`,
      StripeSecretName: stripeSecret.secretName,
      GitHubSecretName: githubSecret.secretName,
      SignInCallback: signInCallback(stage),
      GitHubCallback: `${githubIssuer}/callback`,
      ...mailRecords(mail),
      UserPoolId: identity.pool.userPoolId,
      UserPoolClientId: identity.client.userPoolClientId,
      // For npm run redrive.
      DeadLetterQueue: deadLetters.queue.queueUrl,
    });
  }

  /** Alarms about what no construct of ours does, and the dashboard. After all other alarms. */
  #watch({
    stage,
    httpApi,
    firewall,
    data,
    website,
    identity,
    triggers,
    alarms,
  }: {
    stage: Stage;
    httpApi: HttpApi;
    firewall: Firewall;
    data: Data;
    website: Website;
    identity: Identity;
    triggers: Triggers;
    alarms: Alarms;
  }): void {
    const tables = [data.userPlans, data.waitlist, data.stripeWork, data.addresses, data.addressChanges];
    new ServiceAlarms(this, 'ServiceAlarms', {
      tables,
      pool: identity.pool,
      client: identity.client,
      providers: providerNames,
      customMessage: triggers.customMessage,
      sendsThroughSes: stage.sendsThroughSes,
      metricNamespace: this.stackName,
      alarms,
    });
    new Dashboard(this, 'Dashboard', {
      stackName: this.stackName,
      httpApi,
      pool: identity.pool,
      client: identity.client,
      tables,
      distributionId: website.distributionId,
      firewall,
      metricNamespace: this.stackName,
      alarms,
    });
  }

  #createCanaryUser({ canary }: Stage, { pool }: Identity): CanaryUser | undefined {
    if (!canary) return undefined;
    return new CanaryUser(this, 'CanaryUser', { pool, email: `canary@${product.mailDomain}` });
  }

  #createAlarms(stage: Stage): Alarms {
    return new Alarms(this, 'Alarms', {
      email: stage.alarmEmail,
      pageUrl: stage.alarmPageUrl,
      runbookUrl: stage.runbookUrl,
    });
  }

  #warnOfPlaceholders(stage: Stage): void {
    for (const { file, setting } of placeholdersOf(stage)) {
      // `deploy:production` runs with --strict, which turns this warning into an error.
      Annotations.of(this).addWarningV2(
        `selfsame:placeholder-${setting}`,
        `${setting} is still a placeholder. Set it in ${file}.`,
      );
    }
  }

  #addOutputs(outputs: Record<string, string>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

const siteConfig = (stage: Stage, identity: Identity, siteUrl: string): SiteConfig => ({
  userPoolId: identity.pool.userPoolId,
  userPoolClientId: identity.client.userPoolClientId,
  userPoolEndpoint: `https://cognito-idp.${Aws.REGION}.amazonaws.com`,
  signInOrigin: signInOrigin(stage),
  relayClientId: identity.relayClient.userPoolClientId,
  relayAddresses: [...stage.relayAddresses, `${siteUrl}/oauth/demo`],
  stripePublishableKey: stage.stripePublishableKey,
});

const mailRecords = ({ records }: MailSender): Record<string, string> =>
  Object.fromEntries(
    records.map(({ name, value }, index) => [`MailRecord${index + 1}`, `${name} CNAME ${value}`]),
  );
