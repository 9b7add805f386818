import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { bytesOf, fromHex, g, hashToNumber, k, LABEL, N, power, sha256 } from './srp-group.ts';

/** The server's half of Cognito's SRP-6a. */

/** The stored verifier of a password. Hexadecimal. */
export interface PasswordVerifier {
  salt: string;
  verifier: string;
}

/** The state between a challenge and its answer. Hexadecimal, except for the secret block. */
export interface SrpExchange {
  /** A: the client's public value. */
  clientPublic: string;
  /** b: the server's secret. */
  serverSecret: string;
  /** B: the server's public value. */
  serverPublic: string;
  /** Base64. Opaque to the client, which signs it. */
  secretBlock: string;
}

/** The identity in every hash, so that a verifier is only valid for one user of one pool. */
interface SrpIdentity {
  poolName: string;
  username: string;
}

export function createVerifier(
  identity: SrpIdentity,
  password: string,
  salt: string = randomBytes(16).toString('hex'),
): PasswordVerifier {
  const { poolName, username } = identity;
  const inner = sha256(Buffer.from(`${poolName}${username}:${password}`));
  const x = hashToNumber(bytesOf(fromHex(salt)), inner);
  return { salt, verifier: power(g, x).toString(16) };
}

export function matchesPassword(identity: SrpIdentity, stored: PasswordVerifier, password: string): boolean {
  const { verifier } = createVerifier(identity, password, stored.salt);
  return equal(sha256(Buffer.from(verifier)), sha256(Buffer.from(stored.verifier)));
}

/** Undefined if the client's value would let it in without the password (RFC 5054, 2.5.4). */
export function startExchange(stored: PasswordVerifier, clientPublic: string): SrpExchange | undefined {
  const a = fromHex(clientPublic);
  if (a % N === 0n || a >= N) return undefined;
  // RFC 5054, 2.5.4: at least 256 bits.
  const b = fromHex(randomBytes(32).toString('hex'));
  const serverPublic = (k * fromHex(stored.verifier) + power(g, b)) % N;
  return {
    clientPublic: a.toString(16),
    serverSecret: b.toString(16),
    serverPublic: serverPublic.toString(16),
    secretBlock: randomBytes(256).toString('base64'),
  };
}

/** Whether the client that made `signature` (base64) knows the password. */
export function provesPassword(
  identity: SrpIdentity,
  stored: PasswordVerifier,
  exchange: SrpExchange,
  proof: { timestamp: string; signature: string },
): boolean {
  const a = fromHex(exchange.clientPublic);
  const u = hashToNumber(bytesOf(a), bytesOf(fromHex(exchange.serverPublic)));
  const secret = power(a * power(fromHex(stored.verifier), u), fromHex(exchange.serverSecret));
  const key = hkdfSync('sha256', bytesOf(secret), bytesOf(u), LABEL, 16);
  const expected = createHmac('sha256', Buffer.from(key))
    .update(identity.poolName)
    .update(identity.username)
    .update(Buffer.from(exchange.secretBlock, 'base64'))
    .update(proof.timestamp)
    .digest();
  return equal(expected, Buffer.from(proof.signature, 'base64'));
}

function equal(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
