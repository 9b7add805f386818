import { generateKeyPairSync } from 'node:crypto';
import type { Collection } from './store.ts';

/** A key pair, both keys as PEM. */
export interface RsaKeyPair {
  privateKey: string;
  publicKey: string;
}

/** The 2048-bit key pair stored under `id`. Created and stored on the first call. */
export function rsaKeyPair(pairs: Collection<RsaKeyPair>, id: string): RsaKeyPair {
  const stored = pairs.get(id);
  if (stored) return stored;
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  pairs.put(id, pair);
  return pair;
}
