import { createHash, type KeyObject } from 'node:crypto';
import { COGNITO_CLIENT_ID } from '../../schemas/config/environment.ts';
import type { SigningKey } from '../adapters/kms.ts';
import type { ContentOf } from './cipher.ts';

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

/** The public half of the key, as a JSON Web Key. */
export function publicJwk(key: KeyObject): Record<string, unknown> {
  return { ...key.export({ format: 'jwk' }), kid: keyId(key), alg: 'RS256', use: 'sig' };
}

// A hash of the key, so a new key gets a new id. Cognito reads the keys again when it sees an unknown id.
const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url');

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
