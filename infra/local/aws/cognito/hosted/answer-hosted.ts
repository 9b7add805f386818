import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBrokenOff } from '../../../base/http-body.ts';
import { CognitoError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { bodyOf, crossOrigin } from '../protocol.ts';
import { json, redirect } from './answers.ts';
import { authorize } from './authorize.ts';
import type { HostedAnswer, Endpoint } from './endpoint.ts';
import { errorPage } from './error-page.ts';
import { idpResponse } from './idp-response.ts';
import { logout } from './logout.ts';
import { OAuthError, PageError } from './oauth-error.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';

interface Hosted {
  methods: readonly ('GET' | 'POST')[];
  /** `page`: users navigate here. `script`: scripts of any origin call it. */
  for: 'page' | 'script';
  endpoint: Endpoint;
}

export const IDP_RESPONSE = '/oauth2/idpresponse';

const hosted = new Map<string, Hosted>([
  ['/oauth2/authorize', { methods: ['GET'], for: 'page', endpoint: authorize }],
  [IDP_RESPONSE, { methods: ['GET', 'POST'], for: 'page', endpoint: idpResponse }],
  ['/oauth2/token', { methods: ['POST'], for: 'script', endpoint: token }],
  ['/oauth2/revoke', { methods: ['POST'], for: 'script', endpoint: revoke }],
  ['/logout', { methods: ['GET'], for: 'page', endpoint: logout }],
  ['/error', { methods: ['GET'], for: 'page', endpoint: errorPage }],
]);

export const isHosted = (path: string): boolean => hosted.has(path);

/** Requires `isHosted(path)`. */
export async function answerHosted(
  parts: Parts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found = hosted.get(path);
  if (!found) throw new Error(`Nothing is hosted at ${path}.`);
  const { status, headers, body } = await answerOf(parts, found, request);
  response.writeHead(status, { ...headers, ...(found.for === 'script' && crossOrigin) }).end(body);
}

async function answerOf(
  parts: Parts,
  { methods, for: audience, endpoint }: Hosted,
  request: IncomingMessage,
): Promise<HostedAnswer> {
  if (request.method === 'OPTIONS' && audience === 'script') return preflight(methods);
  if (!methods.some((method) => method === request.method)) {
    return { status: 405, headers: { allow: methods.join(', ') }, body: '' };
  }
  try {
    const text = await bodyOf(request);
    const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(
      request.headers['content-type'] ?? '',
    );
    return await endpoint({
      parts,
      query: new URL(request.url ?? '/', parts.origin).searchParams,
      form: new URLSearchParams(isForm ? text : ''),
      cookies: cookiesOf(request),
      authorization: request.headers.authorization,
    });
  } catch (error) {
    if (error instanceof PageError)
      return redirect(`/error?${new URLSearchParams({ error: error.message }).toString()}`);
    if (error instanceof OAuthError) return json(error.status, { error: error.code });
    if (error instanceof CognitoError && error.status < 500)
      return json(error.status, { error: errorFieldOf(error) });
    if (!isBrokenOff(request)) console.error(error);
    return json(500, { error: 'server_error' });
  }
}

/**
 * The error of a call that Cognito's API refuses. A trigger's refusal stands there in full: seen at the token
 * endpoint of a real pool (COGNITO_ERROR_ANALYSIS.md of bcgov/nr-results-exam).
 */
const errorFieldOf = ({ type, message }: CognitoError): string =>
  type === 'UserLambdaValidationException'
    ? `${message} (Service: AWSCognitoIdentityProviderInternalService; Status Code: 400; Error Code: ${type}; Request ID: ${randomUUID()}; Proxy: null)`
    : 'invalid_request';

/** Allows any origin. These requests may have an Authorization header, which `*` doesn't include. */
const preflight = (methods: Hosted['methods']): HostedAnswer => ({
  status: 200,
  headers: {
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '172800',
  },
  body: '',
});

function cookiesOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((pair): [string, string] => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')];
  });
  return new Map(pairs);
}
