import { generateKeyPairSync } from 'node:crypto';
import type { Collection } from './store.ts';

/** Both as PEM. */
export interface RsaKeyPair {
  privateKey: string;
  publicKey: string;
}

/** The 2048-bit pair that `pairs` holds under `id`; made when it is first asked for, and the same from then on. */
export function rsaKeyPair(pairs: Collection<RsaKeyPair>, id: string): RsaKeyPair {
  const standing = pairs.get(id);
  if (standing) return standing;
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  pairs.put(id, pair);
  return pair;
}
