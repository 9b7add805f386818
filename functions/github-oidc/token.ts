import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { COGNITO_CLIENT_ID } from '../../schemas/environment.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { idToken } from './id-token.ts';
import { githubCallback, type Issuer } from './issuer.ts';
import { OAuthError } from './oauth-error.ts';
import { credentialsOf, formOf } from './request.ts';
import { json } from './response.ts';
import { sameText } from './same-text.ts';
import { lifetimeOf, type Sealed } from './seal.ts';
import type { Step } from './step.ts';

const Form = z.object({
  grant_type: z.string(),
  code: z.optional(z.string()),
  redirect_uri: z.optional(z.string()),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
});
type Form = z.infer<typeof Form>;

/**
 * Redeems a code. It can be redeemed once, though nothing here remembers it: in it is GitHub's own code, which GitHub redeems
 * once, and without GitHub's answer there is no token.
 */
export const token: Step = async (issuer, event, now) => {
  const form = formOf(event, Form);
  const { clientSecret, seal } = await issuer.secrets();
  checkClient(event, form, clientSecret);
  if (form.grant_type !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'Only codes are redeemed here.');
  }
  const sealed = await seal.open('code', form.code ?? '', now);
  if (!sealed || form.redirect_uri !== issuer.cognitoCallback) throw invalidGrant();
  // The key is looked up meanwhile: a cold start costs one round trip less.
  const [person] = await Promise.all([personBehind(issuer, sealed), issuer.key.publicKey()]);
  const [id_token, access_token] = await Promise.all([
    idToken(issuer.key, { issuer: issuer.url, nonce: sealed.nonce, person }, now),
    // What it opens is in it. GitHub's own token ends here: nobody has to be trusted with it, and `userinfo` asks nobody.
    seal.close('access-token', person, now),
  ]);
  return json(200, {
    access_token,
    token_type: 'Bearer',
    expires_in: lifetimeOf('access-token'),
    id_token,
  });
};

async function personBehind(
  issuer: Issuer,
  { code, verifier }: Sealed<'code'>,
): Promise<Sealed<'access-token'>> {
  const { github } = issuer;
  const redemption = await github.redeem({ code, verifier, redirectUri: githubCallback(issuer) });
  if (redemption.kind === 'refused') throw invalidGrant();
  if (redemption.kind === 'unverified') throw noVerifiedAddress();
  const { id, name, email } = await github.person(redemption.token);
  if (!email) throw noVerifiedAddress();
  // In one writing: whoever looks for an account by its address finds it, whatever capitals GitHub was given.
  return { sub: id, email: asciiLowerCase(email), email_verified: true, name };
}

/** Refuses whoever isn't Cognito. The secret comes in the form or by HTTP Basic, never both ways (RFC 6749, section 2.3). */
function checkClient(event: APIGatewayProxyEventV2, form: Form, secret: string): void {
  const basic = credentialsOf(event, 'Basic');
  if (basic !== undefined && form.client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'The client shows its secret twice.');
  }
  const [clientId, clientSecret] =
    basic === undefined ? [form.client_id, form.client_secret] : readBasic(basic);
  // Both are compared in any case, so that the time tells nothing about either.
  const known = [sameText(clientId ?? '', COGNITO_CLIENT_ID), sameText(clientSecret ?? '', secret)];
  if (known.includes(false)) throw new OAuthError('invalid_client', 'The client is not known here.');
}

function readBasic(credentials: string): [id: string | undefined, secret: string | undefined] {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1) return [undefined, undefined];
  return [formDecoded(decoded.slice(0, colon)), formDecoded(decoded.slice(colon + 1))];
}

/** Each half is form-encoded before the two are joined (RFC 6749, section 2.3.1). */
const formDecoded = (half: string): string | undefined =>
  new URLSearchParams(`half=${half}`).get('half') ?? undefined;

const invalidGrant = () =>
  new OAuthError('invalid_grant', 'This sign-in is over or was used before. Please start it again.');

const noVerifiedAddress = () =>
  new OAuthError(
    'access_denied',
    'GitHub has no verified e-mail address for this account. Verify one at GitHub and try again.',
  );
