import type { SecretValue } from 'aws-cdk-lib';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { GitHubOidc } from '../github-oidc-keys.ts';

/** A key that a person gets from a provider and enters: a field of the provider's secret. */
export interface ProviderKeyField {
  /** The key's name, and where to find it. */
  label: string;
  /** Whether the key may be shown as it is typed. */
  isPublic: boolean;
  /** The problem with a value, as the end of a sentence. Undefined if there is none. */
  problemOf: (value: string) => string | undefined;
}

export interface ProviderContext {
  /** A field of the provider's secret, for Cognito. */
  secret: (field: string) => SecretValue;
  /** Undefined in a stage without a provider that needs it. */
  bridge: GitHubOidc | undefined;
}

/** A provider in the stack, and what a person does for it at the provider. */
export interface ProviderModule {
  fields: Readonly<Record<string, ProviderKeyField>>;
  /** The name of the redirect address at the provider. */
  callback: string;
  /** Adds the provider to the user pool. */
  add: (scope: Construct, userPool: IUserPool, context: ProviderContext) => Construct;
}

export const oneWord = (value: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(value) ? undefined : 'has to be one word without spaces';

/** The fields of most providers: an `OAuthClientSecret`. */
export const clientFields = {
  clientId: { label: 'client id', isPublic: true, problemOf: oneWord },
  clientSecret: { label: 'client secret', isPublic: false, problemOf: oneWord },
} as const satisfies ProviderModule['fields'];
