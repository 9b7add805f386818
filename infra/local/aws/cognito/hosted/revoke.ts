import { readJwt } from '../jwt.ts';
import { type Endpoint, requiredParameter } from './endpoint.ts';
import { publicClient } from './hosted-client.ts';
import { OAuthError } from './oauth-error.ts';

/** Ends the session of a refresh token, with all tokens that came from it. */
export const revoke: Endpoint = ({ authorization, form, parts }) => {
  const token = requiredParameter(form, 'token');
  const client = publicClient(parts, form, authorization, 401);
  if (readJwt(token)) throw new OAuthError('unsupported_token_type');
  const session = parts.sessions.byRefreshToken(token);
  // RFC 7009, 2.2: an unknown token is not an error.
  if (session && session.clientId !== client.id) throw new OAuthError('unauthorized_client');
  if (session) parts.sessions.revoke(session);
  return { status: 200, headers: {}, body: '' };
};
