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
import { canaryUserOf } from './constructs/monitoring/canary.ts';
import { Operation } from './constructs/monitoring/operation.ts';
import { Data } from './constructs/data/data.ts';
import { Firewall } from './constructs/firewall/firewall.ts';
import { bundledCode, type CodeOf } from './constructs/lambda/function-code.ts';
import { GitHubOidcKeys } from './constructs/identity/github-oidc-keys.ts';
import { Identity, signInOrigin } from './constructs/identity/identity.ts';
import { logRetentionOf } from './constructs/lambda/log-retention.ts';
import { MailSender } from './constructs/mail/mail-sender.ts';
import { UndeliverableMail } from './constructs/mail/undeliverable-mail.ts';
import { DueAccounts } from './constructs/lambda/due-accounts.ts';
import { Schedules } from './constructs/lambda/schedules.ts';
import { Triggers } from './constructs/identity/triggers.ts';
import { Website } from './constructs/website/website.ts';
import { relayAddressesOf } from './stages/app-addresses.ts';
import { EDGE_REGION } from './stages/edge-region.ts';
import { problemsOf } from './stages/stage-problems.ts';
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
    const isProtected = stage.keepsData && !isFirst;
    super(app, `${product.slug}-${stageName}`, {
      env: { region: stage.region },
      crossRegionReferences: stage.region !== EDGE_REGION,
      terminationProtection: isProtected,
      description: `${product.name}: site, accounts and plans (${stageName})`,
      // CloudFormation puts them on all that the stack makes, so that a bill can be split by them.
      tags: { product: product.slug, stage: stageName },
    });
    // The CDK CLI doesn't deploy a stack with errors. The local world and tests still synthesize it.
    for (const problem of problemsOf(stageName, stage)) Annotations.of(this).addError(problem);
    // A deployment creates the prices at Stripe. The local world creates these.
    this.addMetadata('StripePrices', stripePricesOf('${Stage}'));
    if (props.commit !== undefined) new CfnOutput(this, 'Commit', { value: props.commit });

    const metricNamespace = this.stackName;
    const secrets = secretNames(stageName);
    const hasBridge = stage.providers.some((provider) => providers[provider].bridged);
    const routes = routesOf(props.routes ?? api, hasBridge);

    const alarms = new Alarms(this, 'Alarms', stage);
    const data = new Data(this, 'Data', { stage, isProtected });
    const httpApi = new HttpApi(this, 'HttpApi', { apiName: this.stackName, createDefaultStage: false });
    const webAcl = stage.firewall ? this.#createFirewall(app, stage, routes).arn : undefined;
    const website = new Website(this, 'Website', { stageName, stage, httpApi, site, webAcl });
    const siteUrl = website.url;
    const githubOidcKeys = hasBridge ? new GitHubOidcKeys(this, 'Issuer') : undefined;
    const mail = new MailSender(this, 'MailSender', { stage, metricNamespace, alarms });
    const identity = new Identity(this, 'Identity', {
      stage,
      siteUrl,
      providers: {
        secretNames: secrets,
        secretVersions: props.secretVersions ?? {},
        bridge: githubOidcKeys && { issuer: `${siteUrl}/${API_STAGE}/github-oidc`, keys: githubOidcKeys },
      },
      isFirst,
      mail,
    });
    const { pool } = identity;
    const dueAccounts = new DueAccounts(this, 'DueAccounts');
    const canaryUser = stage.canary ? canaryUserOf(pool) : undefined;
    const resources = {
      stageName,
      stage,
      data,
      siteUrl,
      secrets,
      mail,
      dueAccounts,
      identity,
      canaryUser,
      githubOidcKeys,
    };
    const functions: FunctionSettings = {
      handlers,
      codeOf,
      provisions: provisionsOf(resources),
      logRetention: logRetentionOf(stage),
      originKeys: website.originKeys.accepted,
      metricNamespace,
    };
    const triggers = new Triggers(this, 'Triggers', { pool, functions, alarms });
    const common = { ...resources, functions, httpApi, alarms };
    const served = new Api(this, 'Api', { ...common, routes });
    const schedules = new Schedules(this, 'Schedules', { stackName: this.stackName, functions, alarms });
    const events = new UndeliverableMail(this, 'Events', { mail, functions });
    dueAccounts.addConsumer(schedules, functions, schedules.log);
    new Operation(this, 'Operation', { ...common, api: served, triggers, schedules, events, website });
    website.deploy(siteConfigOf(stage, siteUrl, identity));
  }

  /** The web ACL, in this stack or in a stack of its own that is deployed before. */
  #createFirewall(app: App, { region }: Stage, routes: Readonly<Record<string, Endpoint>>): Firewall {
    const name = this.stackName;
    if (region === EDGE_REGION) return new Firewall(this, 'Firewall', { name, routes });
    const edge = new Stack(app, `${name}-edge`, {
      env: { region: EDGE_REGION },
      crossRegionReferences: true,
      tags: this.tags.tagValues(),
      description: `${product.name}: the web ACL of ${name}`,
    });
    return new Firewall(edge, 'Firewall', { name, routes });
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
