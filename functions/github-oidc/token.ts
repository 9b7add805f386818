import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { COGNITO_CLIENT_ID } from '../../schemas/config/environment.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { idToken } from './id-token.ts';
import { githubCallback, type Issuer, type Step } from './issuer.ts';
import { OAuthError } from '../runtime/oauth-error.ts';
import { formOf } from '../runtime/oauth-parameters.ts';
import { credentialsOf } from './request.ts';
import { json } from '../runtime/json-answer.ts';
import { sameText } from '../runtime/same-text.ts';
import { lifetimeOf, type ContentOf } from './cipher.ts';

const Form = z.object({
  grant_type: z.string(),
  code: z.optional(z.string()),
  redirect_uri: z.optional(z.string()),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
});
type Form = z.infer<typeof Form>;

/** Redeems a code, only once although no state is kept: it contains GitHub's, which GitHub redeems once. */
export const token: Step = async (issuer, event, now) => {
  const form = formOf(event, Form);
  const { clientSecret, cipher } = await issuer.secrets();
  checkClient(event, form, clientSecret);
  if (form.grant_type !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'Only codes are redeemed here.');
  }
  const content = await cipher.decrypt('code', form.code ?? '', now);
  if (!content || form.redirect_uri !== issuer.cognitoCallback) throw invalidGrant();
  // The key is read in parallel, which saves a cold start one round trip.
  const [user] = await Promise.all([readGitHubUser(issuer, content), issuer.key.publicKey()]);
  const [id_token, access_token] = await Promise.all([
    idToken(issuer.key, { issuer: issuer.url, nonce: content.nonce, user }, now),
    // The token contains the claims, so `userinfo` doesn't call GitHub. GitHub's token isn't handed out.
    cipher.encrypt('access-token', user, now),
  ]);
  return json(200, { access_token, token_type: 'Bearer', expires_in: lifetimeOf('access-token'), id_token });
};

async function readGitHubUser(
  issuer: Issuer,
  { code, verifier }: ContentOf<'code'>,
): Promise<ContentOf<'access-token'>> {
  const { github } = issuer;
  const redemption = await github.redeem({ code, verifier, redirectUri: githubCallback(issuer) });
  if (redemption.kind === 'refused') throw invalidGrant();
  if (redemption.kind === 'unverified') throw noVerifiedAddress();
  const { id, name, email } = await github.user(redemption.token);
  if (!email) throw noVerifiedAddress();
  // Lower case, so that a search by address finds the account in any spelling.
  return { sub: id, email: asciiLowerCase(email), email_verified: true, name };
}

/** Refuses other clients. The secret comes in the form or by HTTP Basic, not both (RFC 6749, 2.3). */
function checkClient(event: APIGatewayProxyEventV2, form: Form, secret: string): void {
  const basic = credentialsOf(event, 'Basic');
  if (basic !== undefined && form.client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'The client sent its secret twice.');
  }
  const [clientId, clientSecret] =
    basic === undefined ? [form.client_id, form.client_secret] : readBasic(basic);
  // Both are always compared, so that timing reveals neither.
  const matches = [sameText(clientId ?? '', COGNITO_CLIENT_ID), sameText(clientSecret ?? '', secret)];
  if (matches.includes(false)) throw new OAuthError('invalid_client', 'The client is not known here.');
}

function readBasic(credentials: string): [id: string | undefined, secret: string | undefined] {
  const [id = '', ...secret] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return [formDecoded(id), formDecoded(secret.join(':'))];
}

/** Each half is form-encoded before the two are joined (RFC 6749, section 2.3.1). */
const formDecoded = (half: string) => new URLSearchParams(`half=${half}`).get('half') ?? undefined;

const invalidGrant = () =>
  new OAuthError('invalid_grant', 'This sign-in is over or was used before. Please start it again.');

const noVerifiedAddress = () =>
  new OAuthError(
    'access_denied',
    'GitHub has no verified email address for this account. Verify one at GitHub and try again.',
  );
