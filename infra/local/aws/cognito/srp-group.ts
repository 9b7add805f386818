import { constants, createHash, createPublicKey, getDiffieHellman, publicEncrypt } from 'node:crypto';

/**
 * The arithmetic of Cognito's SRP-6a: SHA-256 and the 3072-bit group of RFC 3526. Numbers are in two's
 * complement, and HKDF derives the key with a fixed label.
 */

// Group 15 of RFC 3526. Cognito uses its prime, with 2 as generator.
const group = getDiffieHellman('modp15');
export const N = fromHex(group.getPrime('hex'));
export const g = fromHex(group.getGenerator('hex'));
export const k = hashToNumber(bytesOf(N), bytesOf(g));
export const LABEL = 'Caldera Derived Key';

/** The bytes of Java's `BigInteger.toByteArray`: a leading zero keeps the number positive. */
export function bytesOf(number: bigint): Buffer {
  const hex = number.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex');
}

export function fromHex(hex: string): bigint {
  return BigInt(`0x${hex}`);
}

export function sha256(...parts: Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

export function hashToNumber(...parts: Buffer[]): bigint {
  return fromHex(sha256(...parts).toString('hex'));
}

/** `base` to the power of `exponent`, modulo N, as RSA without padding: six times as fast as bigints. */
export function power(base: bigint, exponent: bigint): bigint {
  const key = createPublicKey({
    key: { kty: 'RSA', n: bytesOf(N).toString('base64url'), e: bytesOf(exponent).toString('base64url') },
    format: 'jwk',
  });
  const block = Buffer.from((((base % N) + N) % N).toString(16).padStart(768, '0'), 'hex');
  return fromHex(publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block).toString('hex'));
}
