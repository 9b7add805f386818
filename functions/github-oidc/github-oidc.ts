import { endpoint } from '../../schemas/routes/github-oidc.ts';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { github, GitHubFailure } from '../adapters/github.ts';
import { signingKey } from '../adapters/kms.ts';
import { once } from '../adapters/once.ts';
import { readIssuerSecret, readOAuthClient } from '../adapters/secrets.ts';
import { log } from '../runtime/log.ts';
import type { HttpHandler } from '../runtime/route.ts';
import { throughCloudFront } from '../runtime/through-cloudfront.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { authorize } from './authorize.ts';
import { callback } from './callback.ts';
import type { Issuer, Step } from './issuer.ts';
import { jwks } from './id-token.ts';
import { OAuthError } from '../runtime/oauth-error.ts';
import { json } from '../runtime/json-answer.ts';
import { redirectToSignIn } from './redirect.ts';
import { cipherOf } from './cipher.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';

/** `byBrowser`: whether the user's browser is sent there. Cognito calls the others. */
const steps = new Map<string, { method: 'GET' | 'POST'; step: Step; byBrowser?: true }>([
  ['authorize', { method: 'GET', step: authorize, byBrowser: true }],
  ['callback', { method: 'GET', step: callback, byBrowser: true }],
  ['token', { method: 'POST', step: token }],
  ['userinfo', { method: 'GET', step: userinfo }],
  ['jwks', { method: 'GET', step: jwks }],
]);

/**
 * The OpenID Connect provider for GitHub. To Cognito it is an issuer, to GitHub an OAuth app. It has no
 * discovery document: the stack tells Cognito the steps' addresses. Apart from `route`, because OAuth has
 * forms, redirects and errors of its own.
 */
export function serveGitHubOidc(issuer: Issuer, clock: () => Date = () => new Date()): HttpHandler {
  return throughCloudFront(async (event) => {
    const name = event.pathParameters?.['step'] ?? '';
    const found = steps.get(name);
    try {
      if (!found) throw new OAuthError('invalid_request', 'There is nothing here by that name.', 404);
      if (event.requestContext.http.method !== found.method) {
        throw new OAuthError('invalid_request', `This address accepts only ${found.method}.`, 405);
      }
      return await found.step(issuer, event, clock());
    } catch (error) {
      const refusal = logAndRefuse({ step: name }, error);
      return found?.byBrowser && event.requestContext.http.method === found.method
        ? redirectToSignIn(issuer, 'github-failed')
        : refusal;
    }
  });
}

// Bodies and queries are never logged, since they contain codes, secrets and tokens.
function logAndRefuse(line: { step: string }, error: unknown): APIGatewayProxyStructuredResultV2 {
  const refusal = refusalOf(error);
  const { code, description } = refusal;
  if (error instanceof OAuthError) log.info('github-step-refused', { ...line, code });
  else if (error instanceof GitHubFailure) {
    const { request, status } = error;
    log.error('github-step-failed', { ...line, code, upstream: 'github', request, status });
  } else log.error('github-step-failed', { ...line, code }, error);
  return json(refusal.status, { error: code, error_description: description }, challenges[code]);
}

function refusalOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  return error instanceof GitHubFailure
    ? new OAuthError('temporarily_unavailable', 'GitHub is not answering correctly. Please try again.')
    : new OAuthError('server_error', 'Something went wrong on our side. Please try again in a moment.');
}

// HTTP demands a challenge with every 401.
const challenges: { [code: string]: Record<string, string> } = {
  invalid_client: { 'www-authenticate': 'Basic realm="github-oidc"' },
  invalid_token: { 'www-authenticate': 'Bearer error="invalid_token"' },
};

export const handler = withEnvironment(endpoint, (environment) =>
  serveGitHubOidc({
    url: `${environment.SITE_URL}/api/github-oidc`,
    cognitoCallback: environment.COGNITO_CALLBACK,
    github: github(
      environment,
      once(() => readOAuthClient(environment.GITHUB_SECRET_ID)),
    ),
    key: signingKey(environment.OIDC_KEY_ID),
    secrets: once(async () => {
      const { clientSecret } = await readIssuerSecret(environment.OIDC_SECRET_ID);
      return { clientSecret, cipher: cipherOf(clientSecret) };
    }),
  }),
);
