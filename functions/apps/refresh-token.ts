import * as z from 'zod/mini';
import { once } from '../adapters/once.ts';
import { readKeySecret } from '../adapters/secrets.ts';
import { cipherFor, type Purposes } from '../runtime/cipher.ts';
import { SESSION_LIFETIME } from '../domain/app-session.ts';

const text = z.string().check(z.minLength(1));

const purposes = {
  'refresh-token': {
    lifetime: SESSION_LIFETIME,
    content: z.strictObject({
      /** The keys of the session's item. */
      user_id: text,
      id: text,
      /** Number of refreshes before this token. */
      refreshes: z.number(),
      /** Cognito's refresh token. No app has it, so none can refresh past our count. */
      cognito: text,
    }),
  },
} as const satisfies Purposes;

/** The content of a refresh token that an app has. */
export type RefreshToken = z.infer<(typeof purposes)['refresh-token']['content']>;

export const appCipher = (secret: string) => cipherFor(purposes, secret, 'app refresh token');
export type AppCipher = ReturnType<typeof appCipher>;

/** The cipher with the key in a function's secret, which is read once. */
export const cipher = (of: { APP_TOKENS_SECRET_ID: string }): (() => Promise<AppCipher>) =>
  once(async () => appCipher((await readKeySecret(of.APP_TOKENS_SECRET_ID)).key));
