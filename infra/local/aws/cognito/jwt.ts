import { createPrivateKey, createPublicKey } from 'node:crypto';
import {
  createLocalJWKSet,
  decodeJwt,
  exportJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyResult,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { UserPool } from './pools.ts';

export const signJwt = ({ keys }: UserPool, claims: JWTPayload): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ kid: keys.kid, alg: 'RS256' })
    .sign(createPrivateKey(keys.privateKey));

/** The unverified claims; undefined if `token` isn't a JWT. */
export function readJwt(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/** Verifies signature, issuer and expiry. Rejects with one of jose's errors. */
export const verifyJwt = async (pool: UserPool, token: string, now: Date): Promise<JWTVerifyResult> =>
  jwtVerify(token, createLocalJWKSet({ keys: [await publicJwk(pool)] }), {
    algorithms: ['RS256'],
    issuer: pool.issuer,
    currentDate: now,
  });

/** The pool's public key as `/.well-known/jwks.json` publishes it. */
export const publicJwk = async ({ keys }: UserPool): Promise<JWK> => ({
  ...(await exportJWK(createPublicKey(keys.publicKey))),
  alg: 'RS256',
  kid: keys.kid,
  use: 'sig',
});
