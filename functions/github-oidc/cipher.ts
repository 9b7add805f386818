import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

/**
 * The data that are handed out encrypted and returned later: their content, and their lifetime in seconds.
 * Nobody outside can read or change them, or use them for another purpose.
 */
const purposes = {
  /** Held in a cookie until GitHub redirects back. Valid as long as GitHub's own codes. */
  'sign-in': {
    lifetime: 600,
    content: z.strictObject({
      /** The `state` that is sent to GitHub. */
      ours: text,
      /** The `state` that Cognito sent. */
      theirs: text,
      nonce: z.optional(text),
      verifier: text,
    }),
  },
  /** Cognito's `code`. Cognito redeems it at once, while the browser waits. */
  code: {
    lifetime: 60,
    content: z.strictObject({ code: text, verifier: text, nonce: z.optional(text) }),
  },
  /** Cognito's `access_token`, which it sends to `userinfo` a moment later. */
  'access-token': {
    lifetime: 300,
    content: z.strictObject({
      sub: text,
      email: text,
      email_verified: z.literal(true),
      name: text,
    }),
  },
} as const;

type Purposes = typeof purposes;
export type Purpose = keyof Purposes;
export type ContentOf<P extends Purpose> = z.infer<Purposes[P]['content']>;

export const lifetimeOf = (purpose: Purpose): number => purposes[purpose].lifetime;

export interface Cipher {
  encrypt<P extends Purpose>(purpose: P, content: ContentOf<P>, now: Date): Promise<string>;
  /** Undefined for a text that isn't ours, for another purpose, and after the lifetime. */
  decrypt<P extends Purpose>(purpose: P, encrypted: string, now: Date): Promise<ContentOf<P> | undefined>;
}

/** Encrypts with a key derived from the issuer's secret. */
export function cipherOf(issuerSecret: string): Cipher {
  const key = new Uint8Array(hkdfSync('sha256', issuerSecret, '', 'github-oidc seal', 32));
  return {
    encrypt: (purpose, content, now) =>
      new EncryptJWT({ content })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(new Date(now.getTime() + lifetimeOf(purpose) * 1000))
        .encrypt(key),

    async decrypt(purpose, encrypted, now) {
      try {
        const { payload } = await jwtDecrypt(encrypted, key, {
          audience: purpose,
          requiredClaims: ['exp'],
          currentDate: now,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return purposes[purpose].content.parse(payload['content']) as ContentOf<typeof purpose>;
      } catch {
        return undefined;
      }
    },
  };
}
