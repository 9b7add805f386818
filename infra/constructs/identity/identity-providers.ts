import { SecretValue } from 'aws-cdk-lib';
import {
  type IUserPool,
  OidcAttributeRequestMethod,
  ProviderAttribute,
  UserPoolIdentityProviderGoogle,
  UserPoolIdentityProviderOidc,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { COGNITO_CLIENT_ID } from '../../../schemas/config/environment.ts';
import type { ProviderKey } from '../../../schemas/product/providers.ts';
import type { GitHubOidc } from './github-oidc-keys.ts';

export interface IdentityProvidersProps {
  /** The stage's providers. */
  enabled: readonly ProviderKey[];
  /**
   * Name of the secret with our client at Google, an `OAuthClientSecret`. The secret exists before the stack.
   */
  googleSecretName: string;
  /**
   * Version of that secret. CloudFormation only reads a secret again if the reference has changed, so a new
   * key needs its version here. @default the newest, when the provider is created
   */
  googleSecretVersion: string | undefined;
  /** Undefined in a stage without GitHub. */
  githubOidc: GitHubOidc | undefined;
}

type ProviderConstruct = (scope: Construct, pool: IUserPool, props: IdentityProvidersProps) => Construct;

const constructs: Record<ProviderKey, ProviderConstruct> = {
  google: (scope, userPool, { googleSecretName, googleSecretVersion }) => {
    const secret = (jsonField: string): SecretValue =>
      SecretValue.secretsManager(googleSecretName, {
        jsonField,
        ...(googleSecretVersion !== undefined && { versionId: googleSecretVersion }),
      });
    return new UserPoolIdentityProviderGoogle(scope, 'Google', {
      userPool,
      clientId: secret('clientId').unsafeUnwrap(),
      clientSecretValue: secret('clientSecret'),
      scopes: ['openid', 'email', 'profile'],
      attributeMapping: {
        email: ProviderAttribute.GOOGLE_EMAIL,
        emailVerified: ProviderAttribute.GOOGLE_EMAIL_VERIFIED,
        fullname: ProviderAttribute.GOOGLE_NAME,
      },
    });
  },
  github: (scope, userPool, { githubOidc }) => {
    if (!githubOidc) throw new Error('GitHub needs the OpenID Connect provider of functions/github-oidc.');
    const { issuer, keys } = githubOidc;
    return new UserPoolIdentityProviderOidc(scope, 'GitHub', {
      userPool,
      name: 'GitHub',
      clientId: COGNITO_CLIENT_ID,
      clientSecret: keys.secret.secretValueFromJson('clientSecret').unsafeUnwrap(),
      issuerUrl: issuer,
      // Explicit endpoints. Otherwise Cognito would read the discovery document during the deployment, before
      // the site answers.
      endpoints: {
        authorization: `${issuer}/authorize`,
        token: `${issuer}/token`,
        userInfo: `${issuer}/userinfo`,
        jwksUri: `${issuer}/jwks`,
      },
      attributeRequestMethod: OidcAttributeRequestMethod.GET,
      scopes: ['openid', 'email', 'profile'],
      attributeMapping: {
        email: ProviderAttribute.other('email'),
        emailVerified: ProviderAttribute.other('email_verified'),
        fullname: ProviderAttribute.other('name'),
      },
    });
  },
};

/**
 * Adds the stage's providers to the pool. `scope`: the providers' parent, which is part of their logical ids.
 */
export const addIdentityProviders = (
  scope: Construct,
  pool: IUserPool,
  props: IdentityProvidersProps,
): Construct[] => props.enabled.map((provider) => constructs[provider](scope, pool, props));
