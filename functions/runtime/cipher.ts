import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type * as z from 'zod/mini';

/** The data that are handed out encrypted and returned later, by purpose. `lifetime`: seconds. */
export type Purposes = Readonly<Record<string, { lifetime: number; content: z.ZodMiniType<object> }>>;

/** Encrypts with a key derived from a secret. `use`: keeps apart the keys that one secret has. */
export function cipherFor<P extends Purposes>(purposes: P, secret: string, use: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', use, 32));
  return {
    encrypt: <N extends keyof P & string>(purpose: N, content: z.infer<P[N]['content']>, now: Date) =>
      new EncryptJWT({ content })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(new Date(now.getTime() + (purposes[purpose]?.lifetime ?? 0) * 1000))
        .encrypt(key),

    /** Undefined for a text that isn't ours, for another purpose, and after the lifetime. */
    async decrypt<N extends keyof P & string>(purpose: N, encrypted: string, now: Date) {
      try {
        const { payload } = await jwtDecrypt(encrypted, key, {
          audience: purpose,
          requiredClaims: ['exp'],
          currentDate: now,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return purposes[purpose]?.content.parse(payload['content']) as z.infer<P[N]['content']>;
      } catch {
        return undefined;
      }
    },
  };
}
