import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { github, GitHubFailure } from '../adapters/github.ts';
import { identityKey } from '../adapters/kms.ts';
import { once } from '../adapters/once.ts';
import { readIssuerSecret, readOAuthClient } from '../adapters/secrets.ts';
import { environment } from '../runtime/environment.ts';
import type { HttpHandler } from '../runtime/route.ts';
import { authorize } from './authorize.ts';
import { callback } from './callback.ts';
import type { Issuer } from './issuer.ts';
import { jwks } from './jwks.ts';
import { OAuthError } from './oauth-error.ts';
import { json } from './response.ts';
import { sealOf } from './seal.ts';
import type { Step } from './step.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';

const steps = new Map<string, { method: 'GET' | 'POST'; step: Step }>([
  ['authorize', { method: 'GET', step: authorize }],
  ['callback', { method: 'GET', step: callback }],
  ['token', { method: 'POST', step: token }],
  ['userinfo', { method: 'GET', step: userinfo }],
  ['jwks', { method: 'GET', step: jwks }],
]);

/**
 * The OpenID Connect face of GitHub, which issues no ID tokens itself: to Cognito an issuer, to GitHub an OAuth app. There
 * is no discovery document: Cognito is told the addresses, which are those of the steps.
 *
 * It speaks OAuth and not the language of `route`: forms, redirects, and errors as `{error, error_description}`.
 */
export const signInByGitHub =
  (issuer: Issuer, clock: () => Date = () => new Date()): HttpHandler =>
  async (event) => {
    const name = event.pathParameters?.['step'] ?? '';
    try {
      const found = steps.get(name);
      if (!found) throw new OAuthError('invalid_request', 'There is nothing here by that name.', 404);
      if (event.requestContext.http.method !== found.method) {
        throw new OAuthError('invalid_request', `This is asked by ${found.method} only.`, 405);
      }
      return await found.step(issuer, event, clock());
    } catch (error) {
      return refuse({ step: name, requestId: event.requestContext.requestId }, error);
    }
  };

// Neither bodies nor queries are logged: there are codes, secrets and tokens in them.
function refuse(
  line: { step: string; requestId: string },
  error: unknown,
): APIGatewayProxyStructuredResultV2 {
  const refusal = refusalOf(error);
  const { code, description } = refusal;
  if (error instanceof OAuthError) console.info({ ...line, code });
  else if (error instanceof GitHubFailure) {
    console.error({ ...line, code, upstream: 'github', request: error.request, status: error.status });
  } else console.error({ ...line, code, error: String(error), stack: error instanceof Error && error.stack });
  return json(refusal.status, { error: code, error_description: description }, challenges[code]);
}

function refusalOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  return error instanceof GitHubFailure
    ? new OAuthError('temporarily_unavailable', 'GitHub does not answer as it should. Please try again.')
    : new OAuthError('server_error', 'Something went wrong on our side. Please try again in a moment.');
}

// HTTP asks for a challenge beside every 401.
const challenges: { [code: string]: Record<string, string> } = {
  invalid_client: { 'www-authenticate': 'Basic realm="github-oidc"' },
  invalid_token: { 'www-authenticate': 'Bearer error="invalid_token"' },
};

const settings = environment('github', 'signIdentities', 'site');
export const handler = signInByGitHub({
  url: `${settings.SITE_URL}/api/github-oidc`,
  cognitoCallback: settings.COGNITO_CALLBACK,
  github: github(
    settings,
    once(() => readOAuthClient(settings.GITHUB_SECRET_ID)),
  ),
  key: identityKey(settings.OIDC_KEY_ID),
  secrets: once(async () => {
    const { clientSecret } = await readIssuerSecret(settings.OIDC_SECRET_ID);
    return { clientSecret, seal: sealOf(clientSecret) };
  }),
});
