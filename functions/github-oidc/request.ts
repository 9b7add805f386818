import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { readParameters } from '../runtime/oauth-parameters.ts';

export const queryOf = <S extends z.ZodMiniType>(event: APIGatewayProxyEventV2, schema: S): z.infer<S> =>
  readParameters(new URLSearchParams(event.rawQueryString), schema);

/** The `Authorization` header's credentials, if it has this scheme. */
export function credentialsOf(event: APIGatewayProxyEventV2, scheme: 'Basic' | 'Bearer'): string | undefined {
  const [name, credentials, ...more] = (event.headers['authorization'] ?? '').split(' ');
  return name?.toLowerCase() === scheme.toLowerCase() && more.length === 0 ? credentials : undefined;
}

export const cookieOf = (event: APIGatewayProxyEventV2, name: string): string | undefined =>
  event.cookies?.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
