import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { OAuthError } from './oauth-error.ts';

// An encrypted code holds GitHub's code, a verifier and a nonce: about 500 bytes.
const MAXIMUM_BODY = 8 * 1024;

/**
 * The query's parameters. A repeated parameter is refused: two parsers could read different values, which is
 * how checks are bypassed. An unknown parameter is ignored, as RFC 6749, section 3.1, demands.
 */
export const queryOf = <S extends z.ZodMiniType>(event: APIGatewayProxyEventV2, schema: S): z.infer<S> =>
  read(new URLSearchParams(event.rawQueryString), schema);

/** The parameters of a form body, OAuth's format. */
export function formOf<S extends z.ZodMiniType>(event: APIGatewayProxyEventV2, schema: S): z.infer<S> {
  const [type] = (event.headers['content-type'] ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The body has to be a form.');
  }
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.byteLength > MAXIMUM_BODY) throw new OAuthError('invalid_request', 'The body is too large.', 413);
  return read(new URLSearchParams(body.toString('utf8')), schema);
}

/** The `Authorization` header's credentials, if it has this scheme. */
export function credentialsOf(event: APIGatewayProxyEventV2, scheme: 'Basic' | 'Bearer'): string | undefined {
  const [name, credentials, ...more] = (event.headers['authorization'] ?? '').split(' ');
  return name?.toLowerCase() === scheme.toLowerCase() && more.length === 0 ? credentials : undefined;
}

export const cookieOf = (event: APIGatewayProxyEventV2, name: string): string | undefined =>
  event.cookies?.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);

function read<S extends z.ZodMiniType>(parameters: URLSearchParams, schema: S): z.infer<S> {
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) {
    throw new OAuthError('invalid_request', 'A parameter is given twice.');
  }
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path[0];
  throw new OAuthError('invalid_request', `The parameter ${String(name)} is missing or wrong.`);
}
