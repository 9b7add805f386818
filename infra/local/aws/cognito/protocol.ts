import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBrokenOff, readBody } from '../../base/http-body.ts';
import { CognitoError } from './errors.ts';
import { operations } from './operations/table.ts';
import type { Parts } from './parts.ts';

const TARGET = 'AWSCognitoIdentityProviderService.';
// The longest members together (tokens, passwords, attributes, metadata) stay far below this.
const LARGEST_BODY = 256 * 1024;

/** As with Cognito, any origin may read answers. `*` excludes Authorization, so no page can sign calls. */
export const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
} as const;

export function answerPreflight(response: ServerResponse): void {
  response.writeHead(200, {
    ...crossOrigin,
    'access-control-allow-methods': 'POST, GET, OPTIONS',
    'access-control-allow-headers': '*',
    // Two days, as in Cognito's response. Browsers shorten this time.
    'access-control-max-age': '172800',
  });
  response.end();
}

/** Answers one API call in AWS's JSON 1.1 protocol. */
export async function answerCall(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  allowedTargets?: RegExp,
): Promise<void> {
  const headers = {
    ...crossOrigin,
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': randomUUID(),
  };
  try {
    const body = JSON.stringify(await run(parts, request, allowedTargets));
    response.writeHead(200, headers).end(body);
  } catch (thrown) {
    if (isBrokenOff(request)) return;
    const error = thrown instanceof CognitoError ? thrown : internal(thrown);
    response
      .writeHead(error.status, { ...headers, 'x-amzn-errortype': `${error.type}:` })
      .end(JSON.stringify({ __type: error.type, message: error.message }));
  }
}

async function run(parts: Parts, request: IncomingMessage, allowedTargets?: RegExp): Promise<unknown> {
  const target = String(request.headers['x-amz-target'] ?? '');
  const name = target.startsWith(TARGET) ? target.slice(TARGET.length) : '';
  const text = await bodyOf(request);
  const operation = operations.get(name);
  if (!operation) {
    throw new CognitoError('UnknownOperationException', `The local Cognito has no operation "${name}".`);
  }
  // The signature itself is not verified: everything on this machine is one account.
  const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') === true;
  if (!isSigned && allowedTargets?.test(target.toLowerCase()) === false) {
    throw new CognitoError('ForbiddenException', 'Request not allowed due to WAF block.');
  }
  if (operation.caller === 'signed' && !isSigned) {
    throw new CognitoError('MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  return operation.run(parts, parse(text));
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const body = await readBody(request, LARGEST_BODY);
  if (!body) throw new CognitoError('RequestEntityTooLargeException', 'Request is too large.');
  return body.toString();
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new CognitoError('SerializationException', 'Unable to parse the request body as JSON.');
  }
}

function internal(thrown: unknown): CognitoError {
  console.error(thrown);
  return new CognitoError('InternalErrorException', 'Internal error');
}
