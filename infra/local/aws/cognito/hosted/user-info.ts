import { CognitoError } from '../errors.ts';
import { readableAttributes } from '../readable-attributes.ts';
import { json } from './answers.ts';
import type { HostedAnswer, Endpoint } from './endpoint.ts';

/** Claims about the bearer of an access token. All values are strings. */
export const userInfo: Endpoint = async ({ authorization, parts }) => {
  const [, token] = /^Bearer ([\w.=-]+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) return refused(400, 'invalid_request', 'Bad OAuth2 request at UserInfo Endpoint');
  try {
    const { session, user } = await parts.tokens.bearer(token, 'openid');
    const client = parts.pools.client(session.clientId);
    const { identities: _, ...shown } = readableAttributes(client, user, session.scopes);
    return json(200, { ...shown, username: user.username });
  } catch (error) {
    if (!(error instanceof CognitoError)) throw error;
    return refused(
      401,
      'invalid_token',
      'Access token is expired, disabled, or deleted, or the user has globally signed out.',
    );
  }
};

const refused = (status: number, error: string, error_description: string): HostedAnswer =>
  json(
    status,
    { error, error_description },
    {
      'www-authenticate': `Bearer error="${error}", error_description="${error_description}"`,
    },
  );
