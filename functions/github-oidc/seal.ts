import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

/**
 * What we put into other hands and take back: what is in it and how long it holds, in seconds. Nobody can read it, change
 * it, or use one in another's place.
 */
const purposes = {
  /** In the browser's cookie, from the way to GitHub until the way back; as long as GitHub's own code may take. */
  'sign-in': {
    lifetime: 600,
    content: z.strictObject({
      /** What we send to GitHub as `state`. */
      ours: text,
      /** What Cognito sent us as `state`. */
      theirs: text,
      nonce: z.optional(text),
      verifier: text,
    }),
  },
  /** What Cognito gets as `code`. It redeems one at once: it holds the browser until it has. */
  code: {
    lifetime: 60,
    content: z.strictObject({ code: text, verifier: text, nonce: z.optional(text) }),
  },
  /** What Cognito gets as `access_token`, and shows at `userinfo` a moment later. */
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
export type Sealed<P extends Purpose> = z.infer<Purposes[P]['content']>;

export const lifetimeOf = (purpose: Purpose): number => purposes[purpose].lifetime;

export interface Seal {
  close<P extends Purpose>(purpose: P, content: Sealed<P>, now: Date): Promise<string>;
  /** Undefined for what we haven't sealed, for another purpose's, and for what holds no longer. */
  open<P extends Purpose>(purpose: P, sealed: string, now: Date): Promise<Sealed<P> | undefined>;
}

/** Seals with a key of its own, which follows from the issuer's secret: there is nothing more to keep. */
export function sealOf(issuerSecret: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', issuerSecret, '', 'github-oidc seal', 32));
  return {
    close: (purpose, content, now) =>
      new EncryptJWT({ content })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(new Date(now.getTime() + lifetimeOf(purpose) * 1000))
        .encrypt(key),

    async open(purpose, sealed, now) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          audience: purpose,
          requiredClaims: ['exp'],
          currentDate: now,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return purposes[purpose].content.parse(payload['content']) as Sealed<typeof purpose>;
      } catch {
        return undefined;
      }
    },
  };
}
