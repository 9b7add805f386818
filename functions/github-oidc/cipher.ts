import * as z from 'zod/mini';
import { cipherFor, type Purposes } from '../runtime/cipher.ts';

const text = z.string().check(z.minLength(1));

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
  code: { lifetime: 60, content: z.strictObject({ code: text, verifier: text, nonce: z.optional(text) }) },
  /** Cognito's `access_token`, which it sends to `userinfo` a moment later. */
  'access-token': {
    lifetime: 300,
    content: z.strictObject({ sub: text, email: text, email_verified: z.literal(true), name: text }),
  },
} as const satisfies Purposes;

export type Purpose = keyof typeof purposes;
export type ContentOf<P extends Purpose> = z.infer<(typeof purposes)[P]['content']>;

export const lifetimeOf = (purpose: Purpose): number => purposes[purpose].lifetime;

export const cipherOf = (issuerSecret: string) => cipherFor(purposes, issuerSecret, 'github-oidc seal');
export type Cipher = ReturnType<typeof cipherOf>;
