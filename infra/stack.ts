import path from 'node:path';
import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib';
import type { App } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { api } from '../schemas/api.ts';
import type { Endpoint } from '../schemas/routes/endpoint.ts';
import { product } from '../schemas/product/product.ts';
import { type ProviderKey, providers } from '../schemas/product/providers.ts';
import { stripePricesOf } from '../schemas/product/stripe-prices.ts';
import type { SiteConfig } from '../schemas/config/site-config.ts';
import { Alarms } from './constructs/alarms/alarms.ts';
import { Api, API_STAGE } from './constructs/api/api.ts';
import type { FunctionSettings } from './constructs/lambda/app-function.ts';
import { Canary, CanaryUser } from './constructs/monitoring/canary.ts';
import { CostBudget } from './constructs/monitoring/cost-budget.ts';
import { Dashboard } from './constructs/monitoring/dashboard.ts';
import { Data } from './constructs/data/data.ts';
import { DeadLetters } from './constructs/lambda/dead-letters.ts';
import { Firewall } from './constructs/firewall/firewall.ts';
import { bundledCode, type CodeOf } from './constructs/lambda/function-code.ts';
import { GitHubOidcKeys } from './constructs/identity/github-oidc-keys.ts';
import { Identity, signInCallback, signInOrigin } from './constructs/identity/identity.ts';
import { logRetentionOf } from './constructs/lambda/log-retention.ts';
import { MailSender } from './constructs/mail/mail-sender.ts';
import { UndeliverableMail } from './constructs/mail/undeliverable-mail.ts';
import { Schedules } from './constructs/lambda/schedules.ts';
import { ServiceAlarms } from './constructs/alarms/service-alarms.ts';
import { Support } from './constructs/identity/support-role.ts';
import { SignInFirewall } from './constructs/firewall/sign-in-firewall.ts';
import { Triggers } from './constructs/identity/triggers.ts';
import { Website } from './constructs/website/website.ts';
import { relayAddressesOf } from './stages/app-addresses.ts';
import { EDGE_REGION } from './stages/edge-region.ts';
import { problemsOf } from './stages/stage-problems.ts';
import { tableNames } from '../schemas/tables.ts';
import { provisionsOf } from './provisions.ts';
import { secretNames } from './stages/secret-names.ts';
import type { Stage } from './stages/stage.ts';
import { type StageName, stages } from './stages/stages.ts';

export interface SelfsameStackProps {
  stageName: StageName;
  /** @default the stage of that name */
  stage?: Stage;
  /** Folder of the built site. */
  site: string;
  /**
   * Whether the stack doesn't exist yet. Nothing is protected from deletion then: protected tables and a
   * protected stack couldn't be removed after a failure, and would block the next try.
   * @default false
   */
  isFirst?: boolean;
  /** Versions of the providers' secrets. @default the newest, when a provider is created */
  secretVersions?: Partial<Record<ProviderKey, string | undefined>>;
  /** The commit that is deployed, for an output. */
  commit?: string | undefined;
  /** @default the product's */
  routes?: Readonly<Record<string, Endpoint>>;
  /** Folder of the handlers. @default functions/ */
  handlers?: string;
  /** @default handlers are bundled */
  codeOf?: CodeOf;
}

const functionsFolder = path.resolve(import.meta.dirname, '../functions');
/** One stage of the product's web side. */
export class SelfsameStack extends Stack {
  constructor(app: App, props: SelfsameStackProps) {
    const { stageName, site, handlers = functionsFolder, codeOf = bundledCode, isFirst = false } = props;
    const stage: Stage = props.stage ?? stages[stageName];
    const { keepsData, region, throttle } = stage;
    const isProtected = keepsData && !isFirst;
    super(app, `${product.slug}-${stageName}`, {
      env: { region },
      crossRegionReferences: region !== EDGE_REGION,
      terminationProtection: isProtected,
      description: `${product.name}: site, accounts and plans (${stageName})`,
      // CloudFormation puts them on all that the stack makes, so that a bill can be split by them.
      tags: { product: product.slug, stage: stageName },
    });
    this.#refuseProblems(stageName, stage);

    const metricNamespace = this.stackName;
    const secrets = secretNames(stageName);
    const hasBridge = stage.providers.some((provider) => providers[provider].bridged);
    const routes = routesOf(props.routes ?? api, hasBridge);

    const alarms = createAlarms(this, stage);
    const data = new Data(this, 'Data', { stage, isProtected });
    const httpApi = new HttpApi(this, 'HttpApi', { apiName: this.stackName, createDefaultStage: false });
    const firewall = this.#createFirewall(app, { stage, routes, alarms });
    const website = new Website(this, 'Website', { stageName, stage, httpApi, site, webAcl: firewall.arn });
    const siteUrl = website.url;
    const githubIssuer = `${siteUrl}/${API_STAGE}/github-oidc`;
    const githubOidcKeys = hasBridge ? new GitHubOidcKeys(this, 'Issuer') : undefined;
    const mail = new MailSender(this, 'MailSender', { stage, metricNamespace, alarms });
    const identity = new Identity(this, 'Identity', {
      stage,
      siteUrl,
      providers: {
        secretNames: secrets,
        secretVersions: props.secretVersions ?? {},
        bridge: githubOidcKeys && { issuer: githubIssuer, keys: githubOidcKeys },
      },
      isFirst,
      mail,
    });

    const canaryUser = stage.canary ? new CanaryUser(this, 'CanaryUser', identity.pool) : undefined;
    const functions: FunctionSettings = {
      handlers,
      codeOf,
      provisions: provisionsOf({
        stageName,
        stage,
        data,
        siteUrl,
        secrets,
        mail,
        identity,
        canaryUser,
        githubOidcKeys,
      }),
      logRetention: logRetentionOf(stage),
      originKeys: website.originKeys.accepted,
      metricNamespace,
    };
    const triggers = new Triggers(this, 'Triggers', { pool: identity.pool, functions, alarms });
    const canaryClient = canaryUser?.client;
    new Api(this, 'Api', { httpApi, routes, functions, identity, canaryClient, throttle, alarms });
    if (canaryUser) new Canary(this, 'Canary', { stackName: this.stackName, functions, alarms });
    const deadLetters = this.#addEvents({ functions, mail, alarms });
    new Support(this, 'Support', { data, pool: identity.pool, stripeSecretName: secrets.stripe });
    this.#watch({ stage, httpApi, firewall, data, website, identity, triggers, alarms });
    website.deploy(siteConfigOf(stage, siteUrl, identity));
    if (props.commit !== undefined) new CfnOutput(this, 'Commit', { value: props.commit });
    this.#addOutputs({
      siteUrl,
      distributionDomain: website.distributionDomain,
      callbacks: {
        SignInCallback: signInCallback(stage),
        ...(hasBridge && { GitHubCallback: `${githubIssuer}/callback` }),
      },
      mail,
      identity,
      deadLetters,
    });
  }

  /**
   * The functions that AWS calls asynchronously: schedules and SES events. Returns the queue of failed runs.
   */
  #addEvents({
    functions,
    mail,
    alarms,
  }: {
    functions: FunctionSettings;
    mail: MailSender;
    alarms: Alarms;
  }): DeadLetters {
    const deadLetters = new DeadLetters(this, 'DeadLetters', { alarms });
    new Schedules(this, 'Schedules', { stackName: this.stackName, functions, deadLetters, alarms });
    const { configurationSetName } = mail.configurationSet;
    new UndeliverableMail(this, 'Events', { configurationSet: configurationSetName, functions, deadLetters });
    return deadLetters;
  }

  /** The user pool's firewall, the alarms about services, and the dashboard, which comes after all alarms. */
  #watch({
    stage,
    httpApi,
    firewall,
    data,
    website,
    identity: { pool, client },
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
    const tables = tableNames.map((name) => data.tables[name]);
    const metricNamespace = this.stackName;
    new CostBudget(this, 'CostBudget', { dollars: stage.monthlyBudget, email: stage.alarmEmail });
    if (stage.signInFirewall) new SignInFirewall(this, 'SignInFirewall', { pool, alarms });
    new ServiceAlarms(this, 'ServiceAlarms', {
      tables,
      pool,
      client,
      providers: stage.providers,
      customMessage: triggers.customMessage,
      sendsThroughSes: stage.sendsThroughSes,
      metricNamespace,
      alarms,
    });
    new Dashboard(this, 'Dashboard', {
      stackName: this.stackName,
      httpApi,
      pool,
      client,
      tables,
      distributionId: website.distributionId,
      firewall,
      metricNamespace,
      alarms,
    });
  }

  /**
   * The web ACL, in this stack or in a stack of its own that is deployed before. The alarm is in the same
   * stack, since CloudWatch takes an alarm's metric and topic only from the alarm's own region.
   */
  #createFirewall(
    app: App,
    { stage, routes, alarms }: { stage: Stage; routes: Readonly<Record<string, Endpoint>>; alarms: Alarms },
  ): Firewall {
    const name = this.stackName;
    if (stage.region === EDGE_REGION) return new Firewall(this, 'Firewall', { name, routes, alarms });
    const edge = new Stack(app, `${name}-edge`, {
      env: { region: EDGE_REGION },
      crossRegionReferences: true,
      description: `${product.name}: the web ACL of ${name}, and its alarm`,
    });
    return new Firewall(edge, 'Firewall', { name, routes, alarms: createAlarms(edge, stage) });
  }

  /** The CDK CLI doesn't deploy a stack with errors. The local world and tests still synthesize it. */
  #refuseProblems(stageName: StageName, stage: Stage): void {
    for (const problem of problemsOf(stageName, stage)) Annotations.of(this).addError(problem);
  }

  /** `callbacks`: the addresses to enter at providers. */
  #addOutputs({
    siteUrl,
    distributionDomain,
    callbacks,
    mail,
    identity,
    deadLetters,
  }: {
    siteUrl: string;
    distributionDomain: string;
    callbacks: Record<string, string>;
    mail: MailSender;
    identity: Identity;
    deadLetters: DeadLetters;
  }): void {
    // A deployment creates the prices at Stripe. The local world creates these.
    this.addMetadata('StripePrices', stripePricesOf('${Stage}'));
    const outputs: Record<string, string> = {
      SiteUrl: siteUrl,
      // The target of a custom domain's DNS record.
      DistributionDomain: distributionDomain,
      WebhookUrl: `${siteUrl}/${API_STAGE}${api['stripe-webhook'].path}`,
      ...callbacks,
      ...Object.fromEntries(mail.records.map((record, index) => [`MailRecord${index + 1}`, record])),
      UserPoolId: identity.pool.userPoolId,
      UserPoolClientId: identity.client.userPoolClientId,
      // `npm run ops -- redrive` reads this output.
      DeadLetterQueue: deadLetters.queue.queueUrl,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/** Cognito calls our bridge to a provider, and nothing else. */
const routesOf = (routes: Readonly<Record<string, Endpoint>>, hasBridge: boolean): Record<string, Endpoint> =>
  Object.fromEntries(Object.entries(routes).filter(([, { caller }]) => hasBridge || caller !== 'cognito'));

/** The stage's settings that pages need: `/config.json`. */
const siteConfigOf = (stage: Stage, siteUrl: string, identity: Identity): SiteConfig => ({
  userPoolId: identity.pool.userPoolId,
  userPoolClientId: identity.client.userPoolClientId,
  userPoolEndpoint: `https://cognito-idp.${stage.region}.amazonaws.com`,
  signInOrigin: signInOrigin(stage),
  providers: [...stage.providers],
  relayClientId: identity.relayClient.userPoolClientId,
  ...relayAddressesOf(stage, siteUrl),
  stripePublishableKey: stage.stripePublishableKey,
});

const createAlarms = (scope: Stack, { alarmEmail, alarmPageUrl, runbookUrl }: Stage): Alarms =>
  new Alarms(scope, 'Alarms', { email: alarmEmail, pageUrl: alarmPageUrl, runbookUrl });
