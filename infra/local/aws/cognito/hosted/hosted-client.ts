import type { Parts } from '../parts.ts';
import type { UserPoolClient } from '../pools.ts';
import { type Asked, needed } from './endpoint.ts';
import { OAuthError } from './oauth-error.ts';

/** The client of that id, if its pool has a domain to be asked at. */
export function hostedClient({ pools }: Parts, id: string): UserPoolClient | undefined {
  const client = pools.findClient(id);
  return client && pools.hasDomain(client.pool) ? client : undefined;
}

/** The client that calls: it names itself and, having no secret, proves nothing. `status` of the answer to any other. */
export function publicClient(
  parts: Parts,
  form: URLSearchParams,
  authorization: Asked['authorization'],
  status: 400 | 401,
): UserPoolClient {
  const id = needed(form, 'client_id');
  const client = hostedClient(parts, id);
  // Who shows a secret claims to be another kind of client.
  if (!client || authorization !== undefined || form.has('client_secret')) {
    throw new OAuthError('invalid_client', '', status);
  }
  return client;
}
