import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { OAuthError } from './oauth-error.ts';

// The longest form holds an encrypted code, or an app's refresh token, which holds Cognito's: about 3 kB.
const MAXIMUM_BODY = 8 * 1024;

/** The parameters of a form body, OAuth's format. */
export function formOf<S extends z.ZodMiniType>(event: APIGatewayProxyEventV2, schema: S): z.infer<S> {
  const [type] = (event.headers['content-type'] ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The body has to be a form.');
  }
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.byteLength > MAXIMUM_BODY) throw new OAuthError('invalid_request', 'The body is too large.', 413);
  return readParameters(new URLSearchParams(body.toString('utf8')), schema);
}

/**
 * Parses parameters. A repeated one is refused: two parsers could read different values. An unknown one is
 * ignored, and an empty one counts as left out (RFC 6749, sections 3.1 and 3.2).
 */
export function readParameters<S extends z.ZodMiniType>(parameters: URLSearchParams, schema: S): z.infer<S> {
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) {
    throw new OAuthError('invalid_request', 'A parameter is given twice.');
  }
  const given = Object.fromEntries([...parameters].filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0]);
  if (name === 'grant_type' && name in given) {
    throw new OAuthError('unsupported_grant_type', 'There is no such grant here.');
  }
  throw new OAuthError('invalid_request', `The parameter ${name} is missing or wrong.`);
}
