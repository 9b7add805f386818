import type { Parts } from '../parts.ts';
import type { UserPoolClient } from '../pools.ts';
import { type HostedRequest, requiredParameter } from './endpoint.ts';
import { OAuthError } from './oauth-error.ts';

/** The client with this id, if its pool has a domain. */
export function hostedClient({ pools }: Parts, id: string): UserPoolClient | undefined {
  const client = pools.findClient(id);
  return client && pools.hasDomain(client.pool) ? client : undefined;
}

/** The calling client. A client without a secret can't be authenticated. `status`: that of a refusal. */
export function publicClient(
  parts: Parts,
  form: URLSearchParams,
  authorization: HostedRequest['authorization'],
  status: 400 | 401,
): UserPoolClient {
  const id = requiredParameter(form, 'client_id');
  const client = hostedClient(parts, id);
  // A public client has no secret to send.
  if (!client || authorization !== undefined || form.has('client_secret')) {
    throw new OAuthError('invalid_client', '', status);
  }
  return client;
}
