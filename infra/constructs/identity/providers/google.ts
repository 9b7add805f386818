import { ProviderAttribute, UserPoolIdentityProviderGoogle } from 'aws-cdk-lib/aws-cognito';
import { clientFields, oneWord, type ProviderModule } from './provider-module.ts';

export const google: ProviderModule = {
  fields: {
    ...clientFields,
    clientId: {
      ...clientFields.clientId,
      problemOf: (value) =>
        value.endsWith('.apps.googleusercontent.com')
          ? oneWord(value)
          : 'has to end with .apps.googleusercontent.com',
    },
  },
  callback: "the OAuth client's Authorized redirect URI",
  add: (scope, userPool, { secret }) =>
    new UserPoolIdentityProviderGoogle(scope, 'Google', {
      userPool,
      clientId: secret('clientId').unsafeUnwrap(),
      clientSecretValue: secret('clientSecret'),
      scopes: ['openid', 'email', 'profile'],
      attributeMapping: {
        email: ProviderAttribute.GOOGLE_EMAIL,
        emailVerified: ProviderAttribute.GOOGLE_EMAIL_VERIFIED,
        fullname: ProviderAttribute.GOOGLE_NAME,
      },
    }),
};
