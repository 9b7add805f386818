import { createPublicKey, sign, verify } from 'node:crypto';
import * as z from 'zod/mini';
import type { UserPool } from './pools.ts';

const Header = z.object({ alg: z.literal('RS256'), kid: z.string() });
const Claims = z.record(z.string(), z.unknown());
type Claims = z.infer<typeof Claims>;

export function signJwt({ keys }: UserPool, claims: Claims): string {
  const signed = `${encode({ kid: keys.kid, alg: 'RS256' })}.${encode(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), keys.privateKey).toString('base64url')}`;
}

/** The unverified claims; undefined if `token` isn't a JWT. */
export function readJwt(token: string): Claims | undefined {
  const [header, payload, signature] = token.split('.');
  if (!header || !payload || !signature) return undefined;
  return decode(Claims, payload);
}

/** Whether the pool signed it. Its dates are the caller's to check. */
export function isSignedBy({ keys }: UserPool, token: string): boolean {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || decode(Header, header)?.kid !== keys.kid) return false;
  const signed = Buffer.from(`${header}.${payload}`);
  return verify('RSA-SHA256', signed, keys.publicKey, Buffer.from(signature, 'base64url'));
}

/** The pool's public key as `/.well-known/jwks.json` publishes it. */
export function publicJwk({ keys }: UserPool) {
  const { e, kty, n } = createPublicKey(keys.publicKey).export({ format: 'jwk' });
  return { alg: 'RS256', e, kid: keys.kid, kty, n, use: 'sig' };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode<S extends z.ZodMiniType>(schema: S, part: string): z.infer<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(part, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
