import { SecretValue } from 'aws-cdk-lib';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { ProviderKey } from '../../../../schemas/product/providers.ts';
import type { GitHubOidc } from '../github-oidc-keys.ts';
import { apple } from './apple.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import type { ProviderModule } from './provider-module.ts';

export const providerModules: Record<ProviderKey, ProviderModule> = { google, github, apple };

export interface IdentityProvidersProps {
  /** The stage's providers. */
  enabled: readonly ProviderKey[];
  /** Names of the secrets with our clients at the providers. The secrets exist before the stack. */
  secretNames: Readonly<Record<ProviderKey, string>>;
  /**
   * Versions of those secrets. CloudFormation only reads a secret again if the reference has changed, so a
   * new key needs its version here. @default the newest, when the provider is created
   */
  secretVersions: Readonly<Partial<Record<ProviderKey, string | undefined>>>;
  /** Undefined in a stage without a provider that needs it. */
  bridge: GitHubOidc | undefined;
}

/** Adds the stage's providers to the pool. `scope`: their parent, which is part of their logical ids. */
export const addIdentityProviders = (
  scope: Construct,
  pool: IUserPool,
  { enabled, secretNames, secretVersions, bridge }: IdentityProvidersProps,
): Construct[] =>
  enabled.map((provider) => {
    const versionId = secretVersions[provider];
    const secret = (jsonField: string): SecretValue =>
      SecretValue.secretsManager(secretNames[provider], {
        jsonField,
        ...(versionId !== undefined && { versionId }),
      });
    return providerModules[provider].add(scope, pool, { secret, bridge });
  });
