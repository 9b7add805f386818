import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Provisions } from './constructs/app-function.ts';
import type { Data } from './constructs/data.ts';
import type { CanaryUser } from './constructs/canary.ts';
import { countLines } from './constructs/event-metrics.ts';
import type { GitHubOidcKeys } from './constructs/github-oidc-keys.ts';
import type { MailSender } from './constructs/mail-sender.ts';

export interface ProvisionedResources {
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
  data: Data;
  /** Origin of the site. */
  siteUrl: string;
  /** Names of the secrets with the keys that vendors issue. */
  secrets: { stripe: string; github: string };
  mail: MailSender;
  pool: UserPool;
  /** Absent in a stage without a canary. */
  canaryUser: CanaryUser | undefined;
  /** Undefined without GitHub. */
  githubOidcKeys: GitHubOidcKeys | undefined;
  /** Where providers redirect to after a sign-in. */
  signInCallback: string;
  /** Whether Cognito sends its mail through SES. */
  sendsThroughSes: boolean;
}

const noCanary = { USER_POOL_ID: '', CANARY_CLIENT_ID: '', CANARY_SECRET_ID: '', CANARY_EMAIL: '' };

/** What each need of `schemas/environment.ts` gives a function: environment variables and grants. */
export function provisionsOf(resources: ProvisionedResources): Provisions {
  const { metricNamespace, data, siteUrl, secrets, mail, pool, sendsThroughSes } = resources;
  return {
    ...tableProvisionsOf(data),
    ...addressProvisionsOf(resources),
    stripe: {
      environment: { STRIPE_API: 'https://api.stripe.com', STRIPE_SECRET_ID: secrets.stripe },
      grant: (to) => {
        grantSecret(to, secrets.stripe);
        countLines(to, 'StripeKeyRefused', metricNamespace);
      },
    },
    site: { environment: { SITE_URL: siteUrl }, grant: () => {} },
    mail: { environment: { MAIL_FROM: mail.from }, grant: (to) => mail.grantSend(to) },
    suppressedMail: { environment: {}, grant: (to) => mail.grantLookAtSuppressed(to) },
    findAccounts: {
      environment: { USER_POOL_ID: pool.userPoolId },
      grant: (to) => pool.grant(to, 'cognito-idp:AdminGetUser', 'cognito-idp:ListUsers'),
    },
    listAccounts: {
      environment: { USER_POOL_ID: pool.userPoolId },
      grant: (to) => pool.grant(to, 'cognito-idp:ListUsers'),
    },
    backUpUsers: {
      environment: {
        USER_POOL_ID: pool.userPoolId,
        BACKUP_BUCKET: data.backups.bucketName,
        BACKUP_ACCOUNT: Stack.of(data).account,
      },
      grant: (to) => data.backups.grantUserExport(to, pool.userPoolId),
    },
    removeAccounts: {
      environment: { USER_POOL_ID: pool.userPoolId },
      grant: (to) => pool.grant(to, 'cognito-idp:AdminDeleteUser'),
    },
    codeMail: { environment: { SENDS_THROUGH_SES: String(sendsThroughSes) }, grant: () => {} },
    ...canaryProvisionOf(resources),
    ...githubProvisionsOf(resources),
  };
}

/** What plans, the waitlist and the work with Stripe need. */
function tableProvisionsOf(
  data: Data,
): Pick<
  Provisions,
  | 'readPlans'
  | 'writePlans'
  | 'findExpiredPlans'
  | 'findIdlePlans'
  | 'recordPasswordMails'
  | 'scanPlans'
  | 'deletePlans'
  | 'leaveTasks'
  | 'doTasks'
  | 'eventCursor'
  | 'joinWaitlist'
  | 'readWaitlist'
> {
  const plansTable = { PLANS_TABLE: data.userPlans.tableName };
  const stripeWorkTable = { STRIPE_WORK_TABLE: data.stripeWork.tableName };
  const waitlistTable = { WAITLIST_TABLE: data.waitlist.tableName };
  return {
    readPlans: {
      environment: plansTable,
      grant: (to) => grantItems(to, data.userPlans, 'GetItem'),
    },
    writePlans: {
      environment: plansTable,
      grant: (to) => grantItems(to, data.userPlans, 'GetItem', 'PutItem', 'UpdateItem'),
    },
    findExpiredPlans: {
      environment: plansTable,
      grant: (to) => grantQuery(to, data.userPlans, 'by_expiry'),
    },
    findIdlePlans: {
      environment: plansTable,
      grant: (to) => grantQuery(to, data.userPlans, 'by_idle'),
    },
    recordPasswordMails: {
      environment: plansTable,
      grant: (to) => grantItems(to, data.userPlans, 'UpdateItem'),
    },
    scanPlans: {
      environment: plansTable,
      grant: (to) => grantItems(to, data.userPlans, 'Scan'),
    },
    deletePlans: {
      environment: plansTable,
      grant: (to) => grantItems(to, data.userPlans, 'DeleteItem'),
    },
    leaveTasks: {
      environment: stripeWorkTable,
      grant: (to) => grantItems(to, data.stripeWork, 'UpdateItem'),
    },
    doTasks: {
      environment: stripeWorkTable,
      grant: (to) => grantItems(to, data.stripeWork, 'Query', 'UpdateItem', 'DeleteItem'),
    },
    eventCursor: {
      environment: stripeWorkTable,
      grant: (to) => grantItems(to, data.stripeWork, 'GetItem', 'PutItem'),
    },
    joinWaitlist: {
      environment: waitlistTable,
      grant: (to) => grantItems(to, data.waitlist, 'PutItem'),
    },
    readWaitlist: {
      environment: waitlistTable,
      grant: (to) => grantItems(to, data.waitlist, 'GetItem'),
    },
  };
}

type ItemAction = 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'Query' | 'Scan';

/** Of the table alone: CDK's own grants include every index. */
const grantItems = (to: Function, { tableArn }: ITable, ...actions: ItemAction[]): void =>
  to.addToRolePolicy(
    new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources: [tableArn] }),
  );

/** Of one index, and not of the table. */
const grantQuery = (to: Function, { tableArn }: ITable, index: string): void =>
  to.addToRolePolicy(
    new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${tableArn}/index/${index}`] }),
  );

/** Lets a function read the value of a secret outside the stack. AWS adds six characters to its name. */
function grantSecret(to: Function, secretName: string): void {
  const secret = Stack.of(to).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${secretName}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  to.addToRolePolicy(
    new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret] }),
  );
}

/** A stage without a canary has no function with this need. */
const canaryProvisionOf = ({ canaryUser }: ProvisionedResources): Pick<Provisions, 'canary'> => ({
  canary: {
    environment: canaryUser?.environment ?? noCanary,
    grant: (to) => canaryUser?.grant(to),
  },
});

/** What signing in with GitHub needs. A stage without GitHub has no function with these needs. */
function githubProvisionsOf({
  metricNamespace,
  secrets,
  githubOidcKeys: keys,
  signInCallback,
}: ProvisionedResources): Pick<Provisions, 'github' | 'signIdTokens'> {
  return {
    github: {
      environment: {
        GITHUB_URL: 'https://github.com',
        GITHUB_API: 'https://api.github.com',
        GITHUB_SECRET_ID: secrets.github,
      },
      grant: (to) => {
        grantSecret(to, secrets.github);
        countLines(to, 'GitHubSecretRefused', metricNamespace);
      },
    },
    signIdTokens: {
      environment: {
        OIDC_KEY_ID: keys?.signingKey.keyId ?? '',
        OIDC_SECRET_ID: keys?.secret.secretArn ?? '',
        COGNITO_CALLBACK: signInCallback,
      },
      grant: (to) => {
        keys?.signingKey.grant(to, 'kms:Sign', 'kms:GetPublicKey');
        to.addToRolePolicy(
          new PolicyStatement({
            actions: ['secretsmanager:GetSecretValue'],
            resources: keys ? [keys.secret.secretArn] : [],
          }),
        );
      },
    },
  };
}

type AddressNeed =
  | 'addresses'
  | 'readAddresses'
  | 'addressChanges'
  | 'removeAddressChanges'
  | 'readAddressChanges'
  | 'moveWaitlist'
  | 'lookUpAccounts'
  | 'setAddresses'
  | 'lockAccounts';

/** What changes of an account's address need. */
function addressProvisionsOf({ data, pool }: ProvisionedResources): Pick<Provisions, AddressNeed> {
  const addressesTable = { ADDRESSES_TABLE: data.addresses.tableName };
  const addressChangesTable = { ADDRESS_CHANGES_TABLE: data.addressChanges.tableName };
  const userPool = { USER_POOL_ID: pool.userPoolId };
  return {
    addresses: {
      environment: addressesTable,
      grant: (to) => grantItems(to, data.addresses, 'GetItem', 'PutItem', 'DeleteItem'),
    },
    readAddresses: {
      environment: addressesTable,
      grant: (to) => grantItems(to, data.addresses, 'GetItem'),
    },
    addressChanges: {
      environment: addressChangesTable,
      grant: (to) => grantItems(to, data.addressChanges, 'GetItem', 'PutItem'),
    },
    removeAddressChanges: {
      environment: addressChangesTable,
      grant: (to) => grantItems(to, data.addressChanges, 'DeleteItem'),
    },
    readAddressChanges: {
      environment: addressChangesTable,
      grant: (to) => grantItems(to, data.addressChanges, 'GetItem'),
    },
    moveWaitlist: {
      environment: { WAITLIST_TABLE: data.waitlist.tableName },
      grant: (to) => grantItems(to, data.waitlist, 'GetItem', 'PutItem', 'DeleteItem'),
    },
    lookUpAccounts: {
      environment: userPool,
      grant: (to) => pool.grant(to, 'cognito-idp:AdminGetUser'),
    },
    setAddresses: {
      environment: userPool,
      grant: (to) => pool.grant(to, 'cognito-idp:AdminUpdateUserAttributes'),
    },
    lockAccounts: {
      environment: userPool,
      grant: (to) =>
        pool.grant(
          to,
          'cognito-idp:AdminResetUserPassword',
          'cognito-idp:AdminSetUserPassword',
          'cognito-idp:AdminDisableProviderForUser',
          'cognito-idp:AdminDisableUser',
          'cognito-idp:AdminEnableUser',
          'cognito-idp:AdminUserGlobalSignOut',
        ),
    },
  };
}
