import {
  OidcAttributeRequestMethod,
  ProviderAttribute,
  UserPoolIdentityProviderOidc,
} from 'aws-cdk-lib/aws-cognito';
import { COGNITO_CLIENT_ID } from '../../../../schemas/config/environment.ts';
import { providers } from '../../../../schemas/product/providers.ts';
import { clientFields, type ProviderModule } from './provider-module.ts';

export const github: ProviderModule = {
  fields: clientFields,
  callback: "the OAuth app's Authorization callback URL",
  add(scope, userPool, { bridge }) {
    if (!bridge) throw new Error('GitHub needs the OpenID Connect provider of functions/github-oidc.');
    const { issuer, keys } = bridge;
    return new UserPoolIdentityProviderOidc(scope, 'GitHub', {
      userPool,
      name: providers.github.poolName,
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
