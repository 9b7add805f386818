import { OAuthError } from './oauth-error.ts';
import { credentialsOf } from './request.ts';
import { json } from './response.ts';
import type { Step } from './step.ts';

/** Who the access token is about, in the same claims as the ID token. */
export const userinfo: Step = async (issuer, event, now) => {
  const { seal } = await issuer.secrets();
  const person = await seal.open('access-token', credentialsOf(event, 'Bearer') ?? '', now);
  if (!person) throw new OAuthError('invalid_token', 'The access token is not one of ours or has expired.');
  return json(200, person);
};
