import { OAuthError } from '../runtime/oauth-error.ts';
import { credentialsOf } from './request.ts';
import type { Step } from './issuer.ts';
import { json } from '../runtime/json-answer.ts';

/** The claims of the access token's user, the same as in the ID token. */
export const userinfo: Step = async (issuer, event, now) => {
  const { cipher } = await issuer.secrets();
  const user = await cipher.decrypt('access-token', credentialsOf(event, 'Bearer') ?? '', now);
  if (!user) throw new OAuthError('invalid_token', 'The access token is not one of ours or has expired.');
  return json(200, user);
};
