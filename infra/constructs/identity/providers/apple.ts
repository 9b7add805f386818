import { createPrivateKey } from 'node:crypto';
import { ProviderAttribute, UserPoolIdentityProviderApple } from 'aws-cdk-lib/aws-cognito';
import { type ProviderModule, oneWord } from './provider-module.ts';

const tenCharacters = (value: string): string | undefined =>
  /^[A-Z0-9]{10}$/.test(value) ? undefined : 'has to be ten capitals and digits';

/** Cognito takes the key without the first and the last line of its file, and without line breaks. */
function keyProblem(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(value)) return 'has to be one line of Base64, without the lines around it';
  try {
    const key = createPrivateKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return undefined;
  } catch {
    // No key at all.
  }
  return 'has to be the P-256 key of an AuthKey_….p8 file';
}

/**
 * Sign in with Apple. Cognito makes the client secret, a JWT of minutes, from the key. Users may hide their
 * address: Apple then passes on mail only from domains that are registered there for Email Communication.
 * Apple gives the name at the first sign-in alone, and Cognito keeps it.
 */
export const apple: ProviderModule = {
  fields: {
    servicesId: { label: 'Services ID (Identifiers)', isPublic: true, problemOf: oneWord },
    teamId: { label: 'Team ID (Membership)', isPublic: true, problemOf: tenCharacters },
    keyId: { label: 'Key ID (Keys)', isPublic: true, problemOf: tenCharacters },
    privateKey: {
      label: 'private key, the lines between the first and the last of AuthKey_….p8 as one',
      isPublic: false,
      problemOf: keyProblem,
    },
  },
  callback: "the Services ID's Return URL",
  add: (scope, userPool, { secret }) =>
    new UserPoolIdentityProviderApple(scope, 'Apple', {
      userPool,
      clientId: secret('servicesId').unsafeUnwrap(),
      teamId: secret('teamId').unsafeUnwrap(),
      keyId: secret('keyId').unsafeUnwrap(),
      privateKeyValue: secret('privateKey'),
      scopes: ['email', 'name'],
      attributeMapping: {
        email: ProviderAttribute.APPLE_EMAIL,
        emailVerified: ProviderAttribute.APPLE_EMAIL_VERIFIED,
        fullname: ProviderAttribute.APPLE_NAME,
      },
    }),
};
