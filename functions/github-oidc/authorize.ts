import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { COGNITO_CLIENT_ID } from '../../schemas/config/environment.ts';
import { sha256 } from '../runtime/sha256.ts';
import { githubCallback, type Issuer, type Step } from './issuer.ts';
import { queryOf } from './request.ts';
import { redirect } from './redirect.ts';
import { newSignInCookie } from './sign-in-cookie.ts';

const queryFor = ({ cognitoCallback }: Issuer) =>
  z.object({
    client_id: z.literal(COGNITO_CLIENT_ID),
    redirect_uri: z.literal(cognitoCallback),
    response_type: z.literal('code'),
    scope: z.string().check(z.regex(/(^| )openid( |$)/)),
    // Browsers silently drop a cookie of more than 4,096 bytes. Encryption adds a third and some 250 bytes.
    state: z.string().check(z.minLength(1), z.maxLength(2_500)),
    nonce: z.optional(z.string().check(z.minLength(1), z.maxLength(250))),
  });

/** Redirects to GitHub with a state of our own: a cookie has Cognito's, which is too long for GitHub. */
export const authorize: Step = async (issuer, event, now) => {
  const { state: theirs, nonce } = queryOf(event, queryFor(issuer));
  const ours = random(16);
  const verifier = random(32);
  const [{ cipher }, location] = await Promise.all([
    issuer.secrets(),
    issuer.github.authorizationUrl({
      redirectUri: githubCallback(issuer),
      state: ours,
      codeChallenge: sha256(verifier),
    }),
  ]);
  const encrypted = await cipher.encrypt('sign-in', { ours, theirs, verifier, ...(nonce && { nonce }) }, now);
  return redirect(location, newSignInCookie(encrypted));
};

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
