import { SecretValue } from 'aws-cdk-lib';
import {
  type IUserPool,
  OidcAttributeRequestMethod,
  ProviderAttribute,
  UserPoolIdentityProviderGoogle,
  UserPoolIdentityProviderOidc,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { COGNITO_CLIENT_ID } from '../../schemas/environment.ts';
import { type Provider, providerNames } from '../../schemas/providers.ts';
import type { GitHubOidcKeys } from './github-oidc-keys.ts';

export interface IdentityProvidersProps {
  /** Secrets Manager secret with our client at Google, an `OAuthClientSecret`. It exists before the stack. */
  googleSecretName: string;
  /** Address of the OpenID Connect provider for GitHub, without a trailing slash. */
  githubIssuer: string;
  githubOidcKeys: GitHubOidcKeys;
}

type ProviderConstruct = (scope: Construct, pool: IUserPool, props: IdentityProvidersProps) => Construct;

const constructs: Record<Provider, ProviderConstruct> = {
  Google: (scope, userPool, { googleSecretName }) => {
    const secret = (jsonField: string): SecretValue =>
      SecretValue.secretsManager(googleSecretName, { jsonField });
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
  GitHub: (scope, userPool, { githubIssuer, githubOidcKeys }) =>
    new UserPoolIdentityProviderOidc(scope, 'GitHub', {
      userPool,
      name: 'GitHub',
      clientId: COGNITO_CLIENT_ID,
      clientSecret: githubOidcKeys.secret.secretValueFromJson('clientSecret').unsafeUnwrap(),
      issuerUrl: githubIssuer,
      // Explicit: Cognito would read the discovery document during the deployment, before the site answers.
      endpoints: {
        authorization: `${githubIssuer}/authorize`,
        token: `${githubIssuer}/token`,
        userInfo: `${githubIssuer}/userinfo`,
        jwksUri: `${githubIssuer}/jwks`,
      },
      attributeRequestMethod: OidcAttributeRequestMethod.GET,
      scopes: ['openid', 'email', 'profile'],
      attributeMapping: {
        email: ProviderAttribute.other('email'),
        emailVerified: ProviderAttribute.other('email_verified'),
        fullname: ProviderAttribute.other('name'),
      },
    }),
};

/** Adds every provider to the pool. `scope`: their parent, which is part of their logical ids. */
export const addIdentityProviders = (
  scope: Construct,
  pool: IUserPool,
  props: IdentityProvidersProps,
): Construct[] => providerNames.map((name) => constructs[name](scope, pool, props));
