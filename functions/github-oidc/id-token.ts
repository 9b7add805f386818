import { createHash, type KeyObject } from 'node:crypto';
import { COGNITO_CLIENT_ID } from '../../schemas/config/environment.ts';
import type { SigningKey } from '../adapters/kms.ts';
import { json } from '../runtime/json-answer.ts';
import type { ContentOf } from './cipher.ts';
import type { Step } from './issuer.ts';

/** Seconds. Cognito reads the token at once; five minutes allow for clocks that differ. */
const LIFETIME = 300;

/** Signs the ID token for Cognito: a JWT, RS256. */
export async function idToken(
  key: SigningKey,
  { issuer, nonce, user }: { issuer: string; nonce: string | undefined; user: ContentOf<'access-token'> },
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId(await key.publicKey()) };
  const claims = {
    iss: issuer,
    aud: COGNITO_CLIENT_ID,
    iat: issuedAt,
    exp: issuedAt + LIFETIME,
    ...(nonce && { nonce }),
    ...user,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${(await key.sign(signed)).toString('base64url')}`;
}

/** The public key that verifies ID tokens, as a set of JSON Web Keys. */
export const jwks: Step = async ({ key }) => {
  const publicKey = await key.publicKey();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId(publicKey), alg: 'RS256', use: 'sig' };
  return json(200, { keys: [jwk] }, { 'cache-control': 'public, max-age=3600' });
};

// A hash of the key, so a new key gets a new id. Cognito reads the keys again when it sees an unknown id.
const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url');

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
