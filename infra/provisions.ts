import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { needs } from '../schemas/config/environment.ts';
import type { Provisions } from './constructs/lambda/app-function.ts';
import type { DueAccounts } from './constructs/lambda/due-accounts.ts';
import type { Data } from './constructs/data/data.ts';
import type { CanaryUser } from './constructs/monitoring/canary.ts';
import {
  type Identity,
  relayCallback,
  signInCallback,
  signInOrigin,
} from './constructs/identity/identity.ts';
import type { GitHubOidcKeys } from './constructs/identity/github-oidc-keys.ts';
import { grantSuppressed, type MailSender } from './constructs/mail/mail-sender.ts';
import { relayAddressesOf } from './stages/app-addresses.ts';
import type { secretNames } from './stages/secret-names.ts';
import type { Stage } from './stages/stage.ts';
import type { StageName } from './stages/stages.ts';

export interface ProvisionedResources {
  stageName: StageName;
  stage: Stage;
  data: Data;
  /** Origin of the site. */
  siteUrl: string;
  /** Names of the secrets with the keys that vendors issue. */
  secrets: ReturnType<typeof secretNames>;
  mail: MailSender;
  dueAccounts: DueAccounts;
  identity: Pick<Identity, 'pool' | 'passwordClient' | 'relayClient' | 'appTokensSecret' | 'proofsSecret'>;
  /** Absent in a stage without a canary. */
  canaryUser: CanaryUser | undefined;
  /** Undefined in a stage without GitHub. */
  githubOidcKeys: GitHubOidcKeys | undefined;
}

const noCanary = { USER_POOL_ID: '', CANARY_CLIENT_ID: '', CANARY_EMAIL: '' };

/**
 * The functions' tables and user pool, and the variables and rights of each need in
 * `schemas/config/environment.ts`.
 */
export function provisionsOf(resources: ProvisionedResources): Provisions {
  const { stageName, stage, data, siteUrl, secrets, mail, dueAccounts, identity, canaryUser } = resources;
  const { pool, proofsSecret } = identity;
  return {
    tables: data.tables,
    userPool: pool,
    needs: complete({
      stripe: {
        environment: {
          STRIPE_API: 'https://api.stripe.com',
          STRIPE_SECRET_ID: secrets.stripe,
          STAGE: stageName,
        },
        grant: (to) => grantSecret(to, secrets.stripe),
      },
      tax: { environment: { TAX: stage.tax ?? 'none' } },
      proofs: {
        environment: { PROOFS_SECRET_ID: proofsSecret.secretArn },
        grant: (to) => grantSecretValue(to, proofsSecret.secretArn),
      },
      site: { environment: { SITE_URL: siteUrl } },
      mail: { environment: { MAIL_FROM: mail.from }, grant: (to) => mail.grantSend(to) },
      suppressedMail: { environment: {}, grant: (to) => grantSuppressed(to, 'Get') },
      unsuppressedMail: { environment: {}, grant: (to) => grantSuppressed(to, 'Delete') },
      ...appProvisionsOf(resources),
      codeMail: { environment: { SENDS_THROUGH_SES: String(stage.sendsThroughSes) } },
      ownPassword: { environment: { PASSWORD_CLIENT_ID: identity.passwordClient.userPoolClientId } },
      dueQueue: {
        environment: { DUE_ACCOUNTS_QUEUE: dueAccounts.url },
        grant: (to) => dueAccounts.grantSend(to),
      },
      // A stage without a canary has no function with this need.
      canary: { environment: canaryUser?.environment ?? noCanary, grant: (to) => canaryUser?.grant(to) },
      ...githubProvisionsOf(resources),
    }),
  };
}

/**
 * Refuses a need without a provision. The types refuse it too, but a local stack reloads without a type
 * check.
 */
function complete(provisions: Provisions['needs']): Provisions['needs'] {
  const missing = Object.keys(needs).filter((need) => !Object.hasOwn(provisions, need));
  if (missing.length === 0) return provisions;
  const error = new TypeError(
    `Nothing provides ${missing.map((need) => `"${need}"`).join(' and ')}, needed by schemas/config/environment.ts: add it here.`,
  );
  // The error reports the list's place in the source.
  Error.captureStackTrace(error, complete);
  throw error;
}

/** Lets a function read a secret that isn't part of the stack. AWS appends six characters to its name. */
function grantSecret(to: Function, secretName: string): void {
  const secret = Stack.of(to).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${secretName}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  grantSecretValue(to, secret);
}

// CDK's grant includes DescribeSecret.
const grantSecretValue = (to: Function, secretArn: string): void =>
  to.addToRolePolicy(
    new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }),
  );

/** The needs of signing users in to apps. */
const appProvisionsOf = ({
  stage,
  siteUrl,
  identity: { relayClient, appTokensSecret },
}: ProvisionedResources): Pick<Provisions['needs'], 'relayClient' | 'relayAddresses' | 'appTokens'> => ({
  relayClient: {
    environment: {
      SIGN_IN_ORIGIN: signInOrigin(stage),
      RELAY_CLIENT_ID: relayClient.userPoolClientId,
      RELAY_CALLBACK: relayCallback(siteUrl),
    },
  },
  relayAddresses: {
    environment: { RELAY_ADDRESSES: relayAddressesOf(stage, siteUrl).relayAddresses.join(' ') },
  },
  appTokens: {
    environment: { APP_TOKENS_SECRET_ID: appTokensSecret.secretArn },
    grant: (to) => grantSecretValue(to, appTokensSecret.secretArn),
  },
});

/** The needs of signing in with GitHub. A stage without GitHub has no function with these needs. */
function githubProvisionsOf({
  stage,
  secrets,
  githubOidcKeys: keys,
}: ProvisionedResources): Pick<Provisions['needs'], 'github' | 'signIdTokens'> {
  return {
    github: {
      environment: {
        GITHUB_URL: 'https://github.com',
        GITHUB_API: 'https://api.github.com',
        GITHUB_SECRET_ID: secrets.github,
      },
      grant: (to) => grantSecret(to, secrets.github),
    },
    signIdTokens: {
      environment: {
        OIDC_KEY_ID: keys?.signingKey.keyId ?? '',
        OIDC_SECRET_ID: keys?.secret.secretArn ?? '',
        COGNITO_CALLBACK: signInCallback(stage),
      },
      grant: (to) => {
        keys?.signingKey.grant(to, 'kms:Sign', 'kms:GetPublicKey');
        if (keys) grantSecretValue(to, keys.secret.secretArn);
      },
    },
  };
}
